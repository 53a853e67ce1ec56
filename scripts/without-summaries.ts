import type { Plugin } from 'vite'

const CONTRACT = /\/contract\/.*\.ts$/
/** A whole text and no more of an expression. */
const SUMMARY = /\bsummary:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=\s*,)/g

/** The source of the contract without what calls and channels say of themselves, which the gateway's reference alone shows. */
export const withoutSummaries = (source: string): string => source.replace(SUMMARY, "summary: ''")

/** Leaves the summaries of calls and channels out of what browsers load. */
export function stripSummaries(): Plugin {
  return {
    name: 'no-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: CONTRACT },
      handler: (code) => ({ code: withoutSummaries(code), map: null }),
    },
  }
}
