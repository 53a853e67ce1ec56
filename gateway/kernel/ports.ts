import { randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The parts of the world the gateway does not own, injected so that tests can hold them still. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs the task once after a delay in ms; returns how to cancel it. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

export interface Random {
  /** Cryptographically strong bytes. */
  bytes(count: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
}

/** Structured log; no secrets and no bodies ever go into it. */
export interface Log {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
  child(bindings: object): Log
}

export interface Mail {
  /** Whether mails reach people; else they wait on the gateway's machine. */
  readonly goesOut: boolean
  send(message: {
    to: string
    subject: string
    text: string
    html?: string
    /** Of [A-Za-z0-9-], the same at each attempt: mail servers and programs show a mail once that comes twice. */
    id?: string
    /** An iCalendar object that goes along, e.g. an invitation, and its METHOD. */
    calendar?: { method: string; content: string }
  }): Promise<void>
}

/** Pictures and firmware, on disk or in an S3-compatible store. Keys are safe path segments joined by '/'. */
export interface Files {
  /** What tells this store from others; the gateways of a database share one. */
  mark(): Promise<string>
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  get(key: string): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
  remove(key: string): Promise<void>
  /** Stores what a stream brings: whole, or not at all when the stream fails. */
  putStream(key: string, source: Readable, contentType: string): Promise<void>
  /** The bytes from `from` on, for files too large to hold; `size` is that of the whole. */
  getStream(key: string, from?: number): Promise<{ stream: Readable; size: number } | undefined>
}
