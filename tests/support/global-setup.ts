import { startTestPostgres } from './postgres.ts'

/** vitest's globalSetup: one PostgreSQL for the whole run. */
export default async () => {
  const server = await startTestPostgres()
  return () => server.stop()
}
