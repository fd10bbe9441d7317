// The load generator: a process of its own. A job comes in as JSON, its outcome goes out as JSON.
import { json } from 'node:stream/consumers'
import { connectTo } from './connection.ts'
import { inquireLoop } from './inquire-loop.ts'
import type { Job } from './job.ts'
import { signInLoop } from './sign-in-loop.ts'

const job = (await json(process.stdin)) as Job
// Over several processes as a balancer would spread them.
const connections = Array.from({ length: job.connections }, (_, index) => connectTo(job.origins[index % job.origins.length]!))
const outcome = await (job.kind === 'inquire' ? inquireLoop(connections, job) : signInLoop(connections, job))
await Promise.all(connections.map(({ close }) => close()))
process.stdout.write(JSON.stringify(outcome))
