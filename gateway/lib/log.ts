import { type DestinationStream, type Level, type Logger, pino } from 'pino'

/** Creates the process log: one JSON object per line, on standard output unless another destination is given. */
export const createLog = (level: Level | 'silent', destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // The gateway does not log these, but errors of libraries may contain a request or a database row.
      redact: {
        paths: [
          '*.authorization',
          '*.headers',
          '*.password',
          // Connection of a database error: thousands of characters without useful information.
          'err.client',
          'err.config',
          'err.request',
          'err.detail',
          'err.where',
        ],
        remove: true,
      },
    },
    destination as DestinationStream,
  )
