/**
 * Old-fashioned or imprecise words. Name the actor and use the standard term instead. The tests of the
 * repository refuse them in every hand-written file, also in spec/.
 */
export const REFUSED_WORDS = new RegExp(
  String.raw`\b(whoever|whom|whose is it|nobody|somebody|anew|thereby|thereof|withal|` +
    String.raw`begun|whatever|anybody|(is|are) told)\b`,
  'i',
)
