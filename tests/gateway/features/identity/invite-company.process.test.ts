import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { createTestDb, testSocketDir } from '../../../support/postgres.ts'

/** Runs the tool on a database of its own. */
async function invite(...args: string[]) {
  const { db, name, dropDatabase } = await createTestDb()
  const data = await mkdtemp(join(tmpdir(), 'invite-'))
  onTestFinished(async () => {
    await dropDatabase()
    await rm(data, { recursive: true })
  })
  const tool = ['--import', 'tsx', 'gateway/features/identity/invite-company.ts', ...args]
  const env = {
    ...process.env,
    DATA_DIR: data,
    DATABASE_URL: `postgres://gateway@localhost/${name}?host=${encodeURIComponent(testSocketDir())}`,
    PUBLIC_URL: 'https://building.example',
  }
  const ended = await promisify(execFile)(process.execPath, tool, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  const invitations = await db.query<{ email: string }>(sql`select email from company_invitations`)
  return { ...ended, invitations }
}

describe('npm run invite-company', () => {
  it('prints an invitation link for one address', async () => {
    const { stdout, stderr, invitations } = await invite('Owner@Other.example')
    expect(stdout, stderr).toMatch(
      /^https:\/\/building\.example\/signUp#email=owner%40other\.example&invitation=[\w-]{43}\n$/,
    )
    expect(invitations).toEqual([{ email: 'owner@other.example' }])
  })

  it('invites no one without a valid address, and prints its usage', async () => {
    const { stderr, invitations } = await invite('not an address')
    expect(stderr).toContain('npm run invite-company -- ADDRESS')
    expect(invitations).toEqual([])
  })
})
