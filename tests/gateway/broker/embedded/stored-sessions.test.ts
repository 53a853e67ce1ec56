import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStoredSessions } from '../../../../gateway/broker/embedded/stored-sessions.ts'
import { createLogBook, type LogBook } from '../../../support/log-book.ts'

let parent: string
let log: LogBook
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sessions-'))
  log = createLogBook()
})
afterEach(() => rm(parent, { recursive: true }))

const open = () => openStoredSessions(join(parent, 'broker'), log)

describe('the stored sessions of hubs', () => {
  it.each(['CURRENT', 'MANIFEST'])('are put aside where a power cut has damaged %s', async (name) => {
    await (await open()).destroy()
    const files = await readdir(join(parent, 'broker'))
    const damaged = files.find((file) => file.startsWith(name)) ?? name
    await writeFile(join(parent, 'broker', damaged), '\0\0\0')
    await (await open()).destroy()
    expect((await readdir(parent)).sort()).toEqual(['broker', 'broker.damaged'])
    expect(log.lines).toMatchObject([{ level: 'error', text: expect.stringContaining('put aside') }])
    await (await open()).destroy()
    expect(log.lines).toHaveLength(1)
  })

  it('stay where they are when somebody else is at them', async () => {
    const first = await open()
    await expect(open()).rejects.toThrow('failed to open')
    expect(await readdir(parent)).toEqual(['broker'])
    await first.destroy()
  })
})
