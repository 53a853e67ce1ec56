import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Pass, readPass, writePass } from '../../../contract/access-control/access-pass.ts'

/** 128 bits: infeasible to guess, and short enough for a QR code. */
const SIGNATURE_BYTES = 16

/** Signs passes and verifies signatures. Passes are not stored. */
export function createPasses(key: Uint8Array) {
  // The company is part of the signed text, so a pass is valid only in its company.
  const sign = (tenant: string, body: string) =>
    createHmac('sha256', key).update(`${tenant}\n${body}`).digest().subarray(0, SIGNATURE_BYTES)
  return {
    write(tenant: string, pass: Pass): string {
      const body = writePass(pass)
      return `${body}.${sign(tenant, body).toString('base64url')}`
    },

    /** Pass in a scanned text; undefined unless it was signed for this company. */
    read(tenant: string, text: string): Pass | undefined {
      const separator = text.lastIndexOf('.')
      const body = text.slice(0, Math.max(0, separator))
      const actual = Buffer.from(text.slice(separator + 1), 'base64url')
      const expected = sign(tenant, body)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
        ? readPass(body)
        : undefined
    },
  }
}

export type Passes = ReturnType<typeof createPasses>
