import { randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Clock of the gateway, injected so that tests can control time. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs the task once after a delay in ms; returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/** A clock that is ahead of another one by a number of ms, which may be negative. */
export const shiftClock = (clock: Clock, aheadMs: number): Clock =>
  aheadMs === 0 ? clock : { now: () => clock.now() + aheadMs, after: clock.after }

export interface Random {
  /** Cryptographically strong bytes. */
  bytes(count: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
}

/** Structured log, without secrets and bodies. */
export interface Log {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
  child(bindings: object): Log
}

export interface Mail {
  /** Whether emails are sent; otherwise they are stored on the gateway's machine. */
  readonly isDelivered: boolean
  send(message: {
    to: string
    subject: string
    text: string
    html?: string
    /** Id of [A-Za-z0-9-], constant across attempts, so that mail servers and programs can detect duplicates. */
    id?: string
    /** Attached iCalendar object, e.g. an invitation, and its METHOD. */
    calendar?: { method: string; content: string }
  }): Promise<void>
}

/** Store for images and firmware, on disk or in an S3-compatible store. Keys are safe path segments joined by '/'. */
export interface Files {
  /** Identifies this store; the gateways of a database share one. */
  readLocationId(): Promise<string>
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  get(key: string): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
  remove(key: string): Promise<void>
  /** Stores the content of a stream: completely, or not at all if the stream fails. */
  putStream(key: string, source: Readable, contentType: string): Promise<void>
  /** Stream of the bytes from `from` on, for files that are too large for memory; `size` is that of the whole file. */
  getStream(key: string, from?: number): Promise<{ stream: Readable; size: number } | undefined>
}
