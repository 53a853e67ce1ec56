import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Pass, readPass, writePass } from '../../../contract/access-control/access-pass.ts'

/** 128 bits: out of reach to guess, and short in a QR code. */
const SIGNATURE_BYTES = 16

/** Signs passes and tells ours from others. Nothing has to be stored for one. */
export function createPasses(key: Uint8Array) {
  // The company is signed with it, so that the same id elsewhere is another pass.
  const sign = (tenant: string, body: string) =>
    createHmac('sha256', key).update(`${tenant}\n${body}`).digest().subarray(0, SIGNATURE_BYTES)
  return {
    /** The text of a pass's QR code. */
    write(tenant: string, pass: Pass): string {
      const body = writePass(pass)
      return `${body}.${sign(tenant, body).toString('base64url')}`
    },

    /** What a scanned text says if it is a pass of this company and not a bit of it was changed, else undefined. */
    read(tenant: string, text: string): Pass | undefined {
      const cut = text.lastIndexOf('.')
      const body = text.slice(0, Math.max(0, cut))
      const given = Buffer.from(text.slice(cut + 1), 'base64url')
      const wanted = sign(tenant, body)
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? readPass(body) : undefined
    },
  }
}

export type Passes = ReturnType<typeof createPasses>
