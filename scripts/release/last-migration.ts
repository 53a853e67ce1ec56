import { readdirSync } from 'node:fs'

/** File of the latest migration in a directory, by number; undefined if there is none. */
export const lastMigration = (directory: string): string | undefined =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .at(-1)
