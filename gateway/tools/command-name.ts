import { basename } from 'node:path'

/** How one of the gateway's commands is called from where it runs: as installed, or from the source. */
export const commandName = (command: string): string =>
  basename(process.argv[1] ?? '') === 'command.js' ? `building-dashboard ${command}` : `npm run ${command} --`
