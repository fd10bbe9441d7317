// Expressive Code finds this file in the root of Astro's project only.

/** Shiki leaves a line without colors after half a second. Without this limit, a busy machine builds the same. */
const takeAnyTime = { preprocess: (_, options) => void (options.tokenizeTimeLimit = 0) }

export default {
  shiki: { transformers: [takeAnyTime] },
}
