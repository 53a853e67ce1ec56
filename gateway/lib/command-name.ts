import { basename } from 'node:path'

/** Command line of a gateway command: as installed, or from the source. */
export const commandName = (command: string): string =>
  basename(process.argv[1] ?? '') === 'command.js' ? `building-dashboard ${command}` : `npm run ${command} --`
