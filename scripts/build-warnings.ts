import { createLogger, type Logger, type Plugin } from 'vite'

/** Build warnings to ignore, each with its reason. */
const IGNORED = [
  // Vite itself parses the files that a CSS module composes from, without `from`; they contain no URLs.
  'A PostCSS plugin did not pass the `from` option',
]

/** Line that names a file of the build. */
const LISTED_FILE = /dist\//

/**
 * Vite's logger without the ignored warnings, so that new ones stand out; with STRICT_BUILD set, as in the tests, a warning fails
 * the build. With BUILD_FILES=unlisted it does not list the files of the build.
 */
export function buildWarnings(): { logger: Logger; plugin: Plugin } {
  const logger = createLogger()
  let warnings = 0
  const info: Logger['info'] = (text, options) => {
    if (process.env['BUILD_FILES'] !== 'unlisted' || !LISTED_FILE.test(text)) logger.info(text, options)
  }
  const when = (warn: Logger['warn']): Logger['warn'] => {
    return (text, options) => {
      if (IGNORED.some((one) => text.includes(one))) return
      warnings++
      warn(text, options)
    }
  }
  return {
    logger: { ...logger, info, warn: when(logger.warn), warnOnce: when(logger.warnOnce) },
    plugin: {
      name: 'build-warnings',
      apply: 'build',
      closeBundle() {
        if (warnings > 0 && process.env['STRICT_BUILD']) this.error(`The build has ${warnings} warnings`)
      },
    },
  }
}
