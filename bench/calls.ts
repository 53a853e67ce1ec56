import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { session } from '../contract/people/session-calls.ts'
import { startChild } from './support/child.ts'
import { signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { cpuOf } from './support/process-figures.ts'
import { alternate } from './support/statistics.ts'

export const name = 'calls'
export const bar = 'CPU per authenticated POST through the dispatcher (c = 50): at most 1.5 x bare fastify'

const autocannon = createRequire(import.meta.url).resolve('autocannon')
const run = promisify(execFile)

/** Sends `amount` POSTs over 50 connections and returns the server's CPU time per call, in µs. */
async function cpuPerCall(pid: number, url: string, token: string, amount: number): Promise<number> {
  const before = cpuOf(pid)
  const headers = ['content-type=application/json', `authorization=Bearer ${token}`]
  const { stdout } = await run(process.execPath, [
    autocannon,
    ...headers.flatMap((header) => ['-H', header]),
    '--connections=50',
    `--amount=${amount}`,
    '--method=POST',
    '--body={}',
    '--json',
    '--no-progress',
    url,
  ])
  const after = cpuOf(pid)
  const result = JSON.parse(stdout) as { '2xx': number; non2xx: number; errors: number }
  if (result['2xx'] < amount || result.non2xx || result.errors) throw new Error(`${url} refused calls`)
  return (after - before) / result['2xx']
}

/**
 * A call without a database query: measures the common path of every call (token, permissions, limits, parsing, handling,
 * wrapping, counting). Bare fastify receives the same request and sends the same body.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const { token } = await signUpOwner(gateway.url)
  const { path } = session.listPermissions
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  const body = await answer.text()
  const bare = await startChild<{ url: string }>('bare-fastify.ts', path, body)

  const amount = quick ? 10_000 : 30_000
  const { a, b } = await alternate(
    quick ? 3 : 7,
    () => cpuPerCall(gateway.pid, gateway.url + path, token, amount),
    () => cpuPerCall(bare.pid, bare.ready.url + path, token, amount),
  )
  return [
    {
      what: 'CPU per authenticated POST, c = 50',
      value: a,
      unit: 'µs',
      reference: { what: 'bare fastify, same body', value: b },
      bar: { of: 'ratio', max: 1.5 },
      note: `${path}, answer of ${body.length} bytes`,
    },
  ]
}
