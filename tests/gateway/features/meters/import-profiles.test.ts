import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { type ImportProfile, MAX_IMPORT_PROFILES } from '../../../../contract/meters/import-profiles.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addMeter, addSite, type Site } from '../../../support/stored-energy.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let site: Site
let count = 0
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.db.query(sql`delete from import_profiles`)
  site = await addSite(root, `Site ${(count += 1)}`)
  await addMeter(world, root, site, uid())
})

const uid = () => `profile-${count}`
const signature = (number: number) => number.toString(16).padStart(64, '0')
const profile = (changes: Partial<ImportProfile> = {}) => ({
  HomeID: site.HomeID,
  Signature: signature(1),
  Name: '2025-10.csv',
  Answers: { unit: 'kWh', zone: 'Asia/Taipei' },
  Meters: [{ Name: '總表 kWh', MeterID: uid() }],
  ...changes,
})
const save = (changes: Partial<ImportProfile> = {}, by = root) =>
  by.post('/SaveImportProfile', profile(changes))
const list = async (HomeID = site.HomeID, by = root) =>
  (await by.post('/ListImportProfile', { HomeID })).results as ImportProfile[]

describe('An import profile', () => {
  it('is saved and listed with its answers and meters, and audited by the number of meters', async () => {
    const { status, results } = await save()
    expect(status).toEqual({ code: 0 })
    expect(results).toEqual({ ...profile(), By: expect.any(String), UpdatedAt: world.clock.now() })
    expect(await list()).toEqual([results])
    const [entry] = await world.db.query<{
      input: object
      after: object
    }>(sql`select input, after from audit_log
      where path = '/SaveImportProfile' order by at desc, audit_id desc limit 1`)
    expect(entry?.input).toMatchObject({ Signature: signature(1), Meters: 1 })
    expect(entry?.after).toMatchObject({ Answers: { unit: 'kWh' }, Meters: 1 })
  })

  it('overwrites the previous one of its home and signature', async () => {
    await save()
    world.clock.advance(1_000)
    const { results } = await save({ Name: '2025-11.csv', Answers: {}, Meters: [] })
    expect(await list()).toEqual([results])
    expect(results).toMatchObject({ Name: '2025-11.csv', Answers: {}, Meters: [] })
  })

  it('is listed newest first', async () => {
    for (const number of [1, 2, 3]) {
      world.clock.advance(1_000)
      await save({ Signature: signature(number) })
    }
    world.clock.advance(1_000)
    await save({ Signature: signature(2) })
    expect((await list()).map(({ Signature }) => Signature)).toEqual([2, 3, 1].map(signature))
  })

  it('is listed in other homes without meters, the newest of each signature, unless they have their own', async () => {
    await save({ Name: 'first.csv' })
    const [firstHome, firstMeter] = [site.HomeID, uid()]
    site = await addSite(root, `Site ${(count += 1)}`)
    await addMeter(world, root, site, uid())
    world.clock.advance(1_000)
    await save({ Name: 'second.csv' })
    const third = await addSite(root, `Third of ${count}`)
    expect(await list(third.HomeID)).toMatchObject([
      { HomeID: site.HomeID, Name: 'second.csv', Answers: { unit: 'kWh' }, Meters: [] },
    ])
    expect(await list(firstHome)).toMatchObject([
      { HomeID: firstHome, Name: 'first.csv', Meters: [{ MeterID: firstMeter }] },
    ])
  })

  it('is deleted, once', async () => {
    await save()
    const key = { HomeID: site.HomeID, Signature: signature(1) }
    expect((await root.post('/DeleteImportProfile', key)).results).toEqual(key)
    expect(await list()).toEqual([])
    expect((await root.post('/DeleteImportProfile', key)).status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('is deleted with its home', async () => {
    await save()
    expect((await root.post('/DeleteHome', { HomeID: site.HomeID })).status).toEqual({ code: 0 })
    expect(await world.db.query(sql`select 1 as one from import_profiles`)).toEqual([])
  })

  it('deletes the oldest of the company if there would be too many', async () => {
    const stranger = await world.signUp()
    const theirs = await addSite(stranger, 'Theirs')
    await save({ HomeID: theirs.HomeID, Meters: [] }, stranger)
    for (let number = 1; number <= MAX_IMPORT_PROFILES + 1; number++) {
      world.clock.advance(1)
      await save({ Signature: signature(number), Meters: [] })
    }
    const kept = (await list()).map(({ Signature }) => Signature)
    expect(kept).toHaveLength(MAX_IMPORT_PROFILES)
    expect(kept).not.toContain(signature(1))
    expect(kept[0]).toBe(signature(MAX_IMPORT_PROFILES + 1))
    expect(await list(theirs.HomeID, stranger)).toHaveLength(1)
  })

  it('rejects a meter that is not in the home, and an invalid signature', async () => {
    const { status } = await save({
      Meters: [
        { Name: 'a', MeterID: `${uid()}.return` },
        { Name: 'b', MeterID: 'nowhere' },
      ],
    })
    expect(status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'Meters.1.MeterID': 'notFound' },
    })
    expect((await save({ Signature: 'abc' })).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Signature: 'invalid' },
    })
    expect(await list()).toEqual([])
  })

  it('is hidden from other companies', async () => {
    await save()
    const stranger = await world.signUp()
    const { HomeID } = site
    for (const [path, input] of [
      ['/ListImportProfile', { HomeID }],
      ['/SaveImportProfile', profile()],
      ['/DeleteImportProfile', { HomeID, Signature: signature(1) }],
    ] as const)
      expect((await stranger.post(path, input)).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    const theirs = await addSite(stranger, 'Theirs')
    expect(await list(theirs.HomeID, stranger)).toEqual([])
    expect(await list()).toHaveLength(1)
  })

  it('can only be read with the right to read', async () => {
    await save()
    const reader = await world.createUser(root, [rights('electricity', 'Read')])
    expect(await list(site.HomeID, reader)).toHaveLength(1)
    expect((await save({}, reader)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    const key = { HomeID: site.HomeID, Signature: signature(1) }
    expect((await reader.post('/DeleteImportProfile', key)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
  })
})
