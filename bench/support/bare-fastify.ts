/** Baseline of a call: fastify with one route that returns the JSON passed at start. */
import Fastify from 'fastify'
import { serveParent } from './child.ts'

const [path = '/', answer = '{}'] = process.argv.slice(2)
const results = JSON.parse(answer) as object
const app = Fastify({ logger: false })
app.post(path, async () => results)
serveParent({ url: await app.listen({ port: 0, host: '127.0.0.1' }) })
