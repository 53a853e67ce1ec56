import { readdirSync } from 'node:fs'

/** The file of the last migration in a directory, by its number; undefined where there is none. */
export const lastMigration = (directory: string): string | undefined =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .at(-1)
