import { type DestinationStream, type Level, type Logger, pino } from 'pino'

/** The log of the process: a JSON line each, on standard output unless another destination is given. */
export const createLog = (level: Level | 'silent', destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Nothing of ours logs these; a library's error might carry a request along, or a row of the database.
      redact: {
        paths: [
          '*.authorization',
          '*.headers',
          '*.password',
          // The connection of a database error: thousands of characters that explain nothing.
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
