/**
 * Old-fashioned or imprecise words. Name the actor and use the standard term instead. The linter of the spec
 * refuses them in the texts of the documents, and the tests of the repository in every hand-written file.
 */
export const REFUSED_WORDS = new RegExp(
  String.raw`\b(whoever|whom|whose is it|nobody|somebody|anew|thereby|thereof|withal|` +
    String.raw`begun|whatever|anybody|(is|are) told)\b`,
  'i',
)
