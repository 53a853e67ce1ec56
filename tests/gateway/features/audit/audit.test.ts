import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: '總部', TimeZone: 'Asia/Taipei' })).results.HomeID
  for (const RoomName of ['機房', '大廳', '會議室']) {
    world.clock.advance(1_000)
    await root.post('/CreateRoom', { HomeID, RoomName })
  }
})
afterAll(() => world.close())

const list = async (input: object = {}) => (await root.post('/ListAuditLog', input)).results

describe('the audit log', () => {
  it('lists changes with author and address, newest first, with the record after each', async () => {
    const { Rows, Total } = await list({ Path: '/CreateRoom' })
    expect(Total).toBe(3)
    expect(Rows[0]).toMatchObject({
      CognitoId: root.cognitoId,
      Path: '/CreateRoom',
      At: world.clock.now(),
      Before: null,
      After: { RoomName: '會議室' },
    })
    expect(Rows.map((row: { After: { RoomName: string } }) => row.After.RoomName)).toEqual([
      '會議室',
      '大廳',
      '機房',
    ])
  })

  it('pages, and finds words in changes', async () => {
    const first = await list({ Path: '/CreateRoom', Limit: 2 })
    expect(first.Rows).toHaveLength(2)
    const second = await list({ Path: '/CreateRoom', Limit: 2, Cursor: first.NextCursor })
    expect(second).toMatchObject({ Rows: [{ After: { RoomName: '機房' } }], NextCursor: null })
    expect((await list({ Search: '機房' })).Rows.map((row: { Path: string }) => row.Path)).toEqual([
      '/CreateRoom',
    ])
    expect((await list({ Search: '%' })).Total).toBe(0)
  })

  it('filters by time and person, and lists the persons with rows', async () => {
    expect((await list({ Until: 1 })).Total).toBe(0)
    expect((await list({ CognitoId: root.cognitoId })).Total).toBeGreaterThan(3)
    const { People, Paths } = (await root.post('/ListAuditChoice')).results
    expect(People).toEqual([{ CognitoId: root.cognitoId, ByName: expect.any(String) }])
    expect(Paths).toEqual(expect.arrayContaining(['/CreateHome', '/CreateRoom']))
  })

  it('never shows secrets or rows of another company, and requires its own right', async () => {
    await root.post('/CreateUser', { Email: 'a@b.example', password: 'colleague-passw0rd' })
    const text = JSON.stringify(await list({ Path: '/CreateUser' }))
    expect(text).toContain('a@b.example')
    expect(text).not.toContain('colleague-passw0rd')
    const other = await world.signUp()
    expect((await other.post('/ListAuditLog', { Path: '/CreateRoom' })).results.Total).toBe(0)
    const reader = await world.createUser(root, [rights('company', 'Read')])
    expect((await reader.post('/ListAuditLog')).status.code).toBe(5)
  })
})
