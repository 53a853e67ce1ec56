import { startTestPostgres } from './postgres.ts'
import { keepTemporaryFilesInMemory } from './temporary-files.ts'

/** vitest's globalSetup: one PostgreSQL for the whole run. */
export default async () => {
  const deleteFiles = keepTemporaryFilesInMemory()
  const server = await startTestPostgres()
  return async () => {
    await server.stop()
    deleteFiles()
  }
}
