/** How much is measured. Every contender is warmed up before each round, and its first round is not counted. */
export type Plan = {
  rounds: number
  warmUpSeconds: number
  seconds: number
  connections: number
  /** Really accepted records, each of another citizen. */
  accepted: number
  /** Sign-ins of a round, after those of its warm-up. */
  signIn: { rounds: number; journeys: number; warmUp: number }
  growth: { records: number[]; rounds: number; connections: number[]; seconds: number }
  starts: number
}

export const QUICK: Plan = {
  rounds: 3,
  warmUpSeconds: 0.5,
  seconds: 2,
  connections: 64,
  accepted: 400,
  signIn: { rounds: 2, journeys: 600, warmUp: 150 },
  growth: { records: [10_000, 1_000_000], rounds: 2, connections: [1, 8, 64, 512], seconds: 1.5 },
  starts: 1,
}

export const FULL: Plan = {
  rounds: 7,
  warmUpSeconds: 1,
  seconds: 4,
  connections: 64,
  accepted: 1_000,
  signIn: { rounds: 5, journeys: 3_000, warmUp: 600 },
  growth: { records: [10_000, 1_000_000, 10_000_000], rounds: 5, connections: [1, 8, 64, 512], seconds: 4 },
  starts: 3,
}
