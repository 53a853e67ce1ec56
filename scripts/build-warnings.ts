import { createLogger, type Logger, type Plugin } from 'vite'

/** Warnings of a build that say nothing about this one, each with its reason. */
const IGNORED = [
  // Vite itself parses what a CSS module composes from another without saying from where; it has no address in it.
  'A PostCSS plugin did not pass the `from` option',
  // Its imports are there to run parts of one file in turns, not to part the file.
  'is dynamically imported by src/load-app.ts',
]

/**
 * Vite's logger without those warnings, so that a new one is seen; with STRICT_BUILD set, as the tests set it, a warning fails
 * the build.
 */
export function buildWarnings(): { logger: Logger; plugin: Plugin } {
  const logger = createLogger()
  let warnings = 0
  const when = (say: Logger['warn']): Logger['warn'] => {
    return (text, options) => {
      if (IGNORED.some((one) => text.includes(one))) return
      warnings++
      say(text, options)
    }
  }
  return {
    logger: { ...logger, warn: when(logger.warn), warnOnce: when(logger.warnOnce) },
    plugin: {
      name: 'build-warnings',
      apply: 'build',
      closeBundle() {
        if (warnings > 0 && process.env['STRICT_BUILD']) this.error(`The build has ${warnings} warnings`)
      },
    },
  }
}
