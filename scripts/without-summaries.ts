import type { Plugin } from 'vite'

const CONTRACT = /\/contract\/.*\.ts$/
/** A complete string literal, not part of an expression. */
const SUMMARY = /\bsummary:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=\s*,)/g

/** Source of the contract without the summaries of calls and channels, which only the gateway's API reference shows. */
export const withoutSummaries = (source: string): string => source.replace(SUMMARY, "summary: ''")

/** Vite plugin that removes the summaries of calls and channels from the browser bundle. */
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
