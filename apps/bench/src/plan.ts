/** How much is measured. Every contender is warmed up before each round, and its first round is not counted. */
export type Plan = {
  rounds: number
  /** Of the first round: until what runs most is compiled, which takes some ten thousand requests. */
  firstSeconds: number
  warmUpSeconds: number
  /** Whole ones: pgbench knows no others. */
  seconds: number
  connections: number
  /** Really accepted records, each of another citizen. */
  accepted: number
  /** Sign-ins of a round, after those of its warm-up; and of the first round. */
  signIn: { rounds: number; journeys: number; warmUp: number; first: number }
  growth: { records: number[]; rounds: number; connections: number[]; firstSeconds: number; seconds: number }
  /** Events of one burst. */
  deliveries: { rounds: number; events: number }
  starts: number
}

export const QUICK: Plan = {
  rounds: 3,
  firstSeconds: 5,
  warmUpSeconds: 0.3,
  seconds: 2,
  connections: 64,
  accepted: 400,
  signIn: { rounds: 3, journeys: 1_500, warmUp: 200, first: 8_000 },
  growth: { records: [10_000, 1_000_000], rounds: 2, connections: [1, 64, 512], firstSeconds: 3, seconds: 1.5 },
  deliveries: { rounds: 2, events: 2_000 },
  starts: 1,
}

export const FULL: Plan = {
  rounds: 7,
  firstSeconds: 10,
  warmUpSeconds: 1,
  seconds: 4,
  connections: 64,
  accepted: 1_000,
  signIn: { rounds: 5, journeys: 3_000, warmUp: 300, first: 15_000 },
  growth: { records: [10_000, 1_000_000, 10_000_000], rounds: 5, connections: [1, 8, 64, 512], firstSeconds: 6, seconds: 4 },
  deliveries: { rounds: 5, events: 5_000 },
  starts: 3,
}
