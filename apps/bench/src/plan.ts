/**
 * How much the bench measures. Each contender first runs one warm-up round that is not counted, then the
 * counted rounds. Each counted round begins with a short warm-up that is not counted either.
 */
export type Plan = typeof FULL

export const FULL = {
  /** Counted rounds. */
  rounds: 7,
  /** Length of the warm-up round. Node compiles its hot code during about the first ten thousand requests. */
  warmUpRoundSeconds: 10,
  /** Warm-up at the start of each round. */
  warmUpSeconds: 1,
  /** Counted time of a round: a whole number, because pgbench accepts no fractions. */
  seconds: 4,
  connections: 64,
  /** Records accepted through the API, each by a different citizen. */
  acceptedRecords: 1_000,
  /** Counted sign-ins of a round, the sign-ins of its warm-up, and the sign-ins of the warm-up round. */
  signIn: { rounds: 5, journeys: 6_000, warmUpJourneys: 2_000, warmUpRoundJourneys: 15_000 },
  /** As `signIn`. */
  oidc: { rounds: 5, journeys: 3_000, warmUpJourneys: 1_000, warmUpRoundJourneys: 8_000 },
  consent: { rounds: 5, journeys: 2_000, warmUpJourneys: 500, warmUpRoundJourneys: 5_000 },
  growth: {
    sizes: [10_000, 1_000_000, 10_000_000],
    rounds: 5,
    connections: [1, 8, 64, 512],
    warmUpRoundSeconds: 6,
    seconds: 4,
  },
  /**
   * The records of the larger database; it has four audit events for each. `items` and so on: as `signIn`. `loggedJourneys`:
   * those whose log is counted. `moreCitizens`: are imported, and some of them chosen at random. `archivedEvents`: of the month that is
   * archived.
   */
  nation: {
    records: 2_000_000,
    rounds: 5,
    items: 2_000,
    warmUpItems: 500,
    warmUpRoundItems: 5_000,
    loggedJourneys: 10_000,
    moreCitizens: 100_000,
    archivedEvents: 500_000,
  },
  /** `events` is the size of one burst. */
  deliveries: { rounds: 5, events: 5_000 },
  /** Cold starts, each with one warm start after it. */
  starts: 3,
}

export const QUICK: Plan = {
  rounds: 3,
  warmUpRoundSeconds: 5,
  warmUpSeconds: 0.3,
  seconds: 2,
  connections: 64,
  acceptedRecords: 400,
  // The warm-up lasts over a second. So long, the partner competes for slots with the citizens of the codes.
  signIn: { rounds: 3, journeys: 1_500, warmUpJourneys: 2_000, warmUpRoundJourneys: 8_000 },
  oidc: { rounds: 3, journeys: 1_500, warmUpJourneys: 500, warmUpRoundJourneys: 4_000 },
  consent: { rounds: 2, journeys: 600, warmUpJourneys: 200, warmUpRoundJourneys: 2_000 },
  growth: {
    sizes: [10_000, 1_000_000],
    rounds: 2,
    connections: [1, 64, 512],
    warmUpRoundSeconds: 3,
    seconds: 1.5,
  },
  nation: {
    records: 100_000,
    rounds: 1,
    items: 300,
    warmUpItems: 100,
    warmUpRoundItems: 500,
    loggedJourneys: 1_000,
    moreCitizens: 10_000,
    archivedEvents: 20_000,
  },
  deliveries: { rounds: 2, events: 2_000 },
  starts: 1,
}
