// The load generator, a separate process. It reads a job from standard input and writes the result to
// standard output, both as JSON.
import { json } from 'node:stream/consumers'
import { connectTo } from './connection.ts'
import { inquireLoop } from './inquire-loop.ts'
import type { Job } from './job.ts'
import { signInLoop } from './sign-in-loop.ts'

const job = (await json(process.stdin)) as Job
// Connections are spread evenly over the server processes, as a load balancer does.
const connections = Array.from({ length: job.connections }, (_, index) =>
  connectTo(job.origins[index % job.origins.length]!),
)
const result = await (job.kind === 'inquire' ? inquireLoop(connections, job) : signInLoop(connections, job))
await Promise.all(connections.map(({ close }) => close()))
process.stdout.write(JSON.stringify(result))
