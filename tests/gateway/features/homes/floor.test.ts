import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { picture, png } from '../../../support/pictures.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let count = 0
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  const home = { HomeName: `Home ${(count += 1)}`, TimeZone: 'Asia/Taipei', RoomNames: ['A', 'B', 'C'] }
  HomeID = (await root.post('/CreateHome', home)).results.HomeID
})

const create = async (FloorName: string, Order?: number) =>
  (await root.post('/CreateFloor', { HomeID, FloorName, ...(Order !== undefined && { Order }) })).results
const update = (FloorID: number, changes: object) =>
  root.post('/UpdateFloor', { HomeID, FloorID, ...changes })
const list = async () => (await root.post('/ListFloor', { HomeID })).results
const changes = () =>
  world.events.flatMap(({ name, event }) => (name === 'dataChange' && 'name' in event ? [event] : []))
const square = (RoomID: number, x = 0) => ({
  RoomID,
  Points: [
    [x, 0],
    [x + 1000, 0],
    [x + 1000, 1000],
    [x, 1000],
  ],
})
const pin = (RoomID: number) => ({ RoomID, At: [5000, 5000] })

describe('floors', () => {
  it('are added above each other, renamed and moved, and published to screens', async () => {
    const first = await create('1F')
    const second = await create('2F')
    expect(first).toEqual({
      HomeID,
      FloorID: 1,
      FloorName: '1F',
      Order: 1,
      Plan: null,
      Shapes: [],
      Version: 1,
    })
    expect(second).toMatchObject({ FloorID: 2, Order: 2 })
    const { results } = await update(2, { FloorName: 'B1', Order: -1, Version: 1 })
    expect(results).toEqual({ ...second, FloorName: 'B1', Order: -1, Version: 2 })
    expect((await list()).map(({ FloorName }: { FloorName: string }) => FloorName)).toEqual(['B1', '1F'])
    expect(changes().at(-1)).toMatchObject({ name: 'floor.update', record: { HomeID, FloorID: 2 } })
  })

  it('have unique names within a home, regardless of case, and never reuse numbers', async () => {
    await create('Roof')
    const taken = { code: ERRORS.CONFLICT.code, fields: { FloorName: 'taken' } }
    expect((await root.post('/CreateFloor', { HomeID, FloorName: 'ROOF' })).status).toMatchObject(taken)
    const { FloorID } = await create('Hall')
    expect((await update(FloorID, { FloorName: 'roof' })).status).toMatchObject(taken)
    await root.post('/DeleteFloor', { HomeID, FloorID })
    expect((await create('Hall')).FloorID).toBeGreaterThan(FloorID)
  })

  it('are limited to 30 per home', async () => {
    for (let i = 1; i <= 30; i++) await create(`${i}F`)
    const more = await root.post('/CreateFloor', { HomeID, FloorName: 'one more' })
    expect(more.status.code).toBe(ERRORS.LIMIT_EXCEEDED.code)
  })

  it('show where rooms are, as areas and pins, by room', async () => {
    const { FloorID } = await create('1F')
    const { results } = await update(FloorID, { Shapes: [pin(2), square(0)], Version: 1 })
    expect(results).toMatchObject({ Shapes: [square(0), pin(2)], Version: 2 })
    expect(await list()).toEqual([results])
    const emptied = await update(FloorID, { Shapes: [] })
    expect(emptied.results).toMatchObject({ Shapes: [], FloorName: '1F', Version: 3 })
  })

  it('reject the second of two concurrent edits, and keep the first', async () => {
    const { FloorID } = await create('1F')
    const answers = await Promise.all([
      update(FloorID, { Shapes: [square(0)], Version: 1 }),
      update(FloorID, { Shapes: [square(1)], Version: 1 }),
    ])
    const refused = answers.filter(({ status }) => status.code !== 0)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { Version: 'changed' } })
    const won = answers.find(({ status }) => status.code === 0)
    expect(await list()).toEqual([won?.results])
  })

  it('contain a room once per home, even if two floors exchange theirs concurrently', async () => {
    const [first, second] = [await create('1F'), await create('2F')]
    await update(first.FloorID, { Shapes: [square(1), square(2, 2000)] })
    expect((await update(second.FloorID, { Shapes: [square(0), pin(2)] })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { 'Shapes.1.RoomID': 'taken' },
    })
    const twice = await update(second.FloorID, { Shapes: [square(0), pin(0)] })
    expect(twice.status).toMatchObject({ code: ERRORS.INVALID.code, fields: { 'Shapes.1': 'taken' } })
    const both = await Promise.all([
      update(first.FloorID, { Shapes: [square(3)] }),
      update(second.FloorID, { Shapes: [square(3)] }),
    ])
    expect(both.map(({ status }) => status.code).toSorted()).toEqual([0, ERRORS.CONFLICT.code])
  })

  it.each([
    [
      'an outline that crosses itself',
      [
        [0, 0],
        [1000, 1000],
        [1000, 0],
        [0, 1000],
      ],
      'crossing',
    ],
    [
      'corners on one line',
      [
        [0, 0],
        [500, 500],
        [1000, 1000],
      ],
      'noArea',
    ],
    [
      'two corners',
      [
        [0, 0],
        [500, 500],
      ],
      'noArea',
    ],
    [
      'a corner beyond the plan',
      [
        [0, 0],
        [10_001, 0],
        [0, 500],
      ],
      'tooBig',
      '.Points.1.0',
    ],
    [
      'a corner between two units',
      [
        [0, 0],
        [10.5, 0],
        [0, 500],
      ],
      'number',
      '.Points.1.0',
    ],
    ['25 corners', Array.from({ length: 25 }, (_, i) => [i, i * i]), 'tooBig', '.Points'],
  ])('reject %s with the path of its shape', async (_what, Points, reason, at = '') => {
    const { FloorID } = await create('1F')
    const { status } = await update(FloorID, { Shapes: [square(0), { RoomID: 1, Points }] })
    expect(status).toMatchObject({ code: ERRORS.INVALID.code, fields: { [`Shapes.1${at}`]: reason } })
    expect(await list()).toMatchObject([{ Shapes: [], Version: 1 }])
  })

  it('reject rooms of other homes and deleted rooms', async () => {
    const { FloorID } = await create('1F')
    const { status } = await update(FloorID, { Shapes: [square(0), square(99)] })
    expect(status).toMatchObject({ code: ERRORS.NOT_FOUND.code, fields: { 'Shapes.1.RoomID': 'notFound' } })
  })

  it('lose a deleted room, which is published as a new version', async () => {
    const { FloorID } = await create('1F')
    await update(FloorID, { Shapes: [square(0), square(2, 2000)] })
    await root.post('/DeleteRoom', { HomeID, RoomID: 2 })
    expect(await list()).toMatchObject([{ Shapes: [square(0)], Version: 3 }])
    expect(changes()).toContainEqual(
      expect.objectContaining({ name: 'floor.update', record: { HomeID, FloorID }, by: root.cognitoId }),
    )
    expect((await update(FloorID, { Shapes: [square(2)], Version: 2 })).status.code).not.toBe(0)
  })

  it('audit only the changed shapes', async () => {
    const { FloorID } = await create('1F')
    await update(FloorID, { Shapes: [square(0), square(1, 2000)] })
    await update(FloorID, { Shapes: [square(0), square(1, 4000)] })
    const [row] = (await root.post('/ListAuditLog', { Limit: 1 })).results.Rows
    expect(row).toMatchObject({
      Before: { Shapes: [square(1, 2000)], FloorName: '1F' },
      After: { Shapes: [square(1, 4000)], Version: 3 },
    })
  })

  it('require rights on rooms in each call, and hide them from other companies', async () => {
    const { FloorID } = await create('1F')
    const calls = [
      ['/ListFloor', 'Read', { HomeID }],
      ['/CreateFloor', 'Create', { HomeID, FloorName: 'new' }],
      ['/UpdateFloor', 'Update', { HomeID, FloorID, FloorName: '2F' }],
      ['/UploadFloorPlan', 'Update', { HomeID, FloorID, ContentType: 'image/png' }],
      ['/DeleteFloorPlan', 'Update', { HomeID, FloorID }],
      ['/DeleteFloor', 'Delete', { HomeID, FloorID }],
    ] as const
    const stranger = await world.signUp()
    for (const [path, operation, body] of calls) {
      const others = (['Read', 'Create', 'Update', 'Delete'] as const).filter((one) => one !== operation)
      const without = await world.createUser(root, [rights('room', ...others)])
      expect((await without.post(path, body)).status.code, path).toBe(ERRORS.PERMISSION_DENIED.code)
      expect((await stranger.post(path, body)).status.code, path).toBe(ERRORS.NOT_FOUND.code)
      const holder = await world.createUser(root, [rights('room', operation)])
      expect((await holder.post(path, body)).status.code, path).toBe(0)
    }
  })
})

describe('the plan of a floor', () => {
  const put = async (url: string, payload: Buffer, type: string) => {
    const headers = { 'content-type': type }
    const answer = await world.gateway.http.inject({ method: 'PUT', url, payload, headers })
    return { http: answer.statusCode, ...answer.json() }
  }
  /** Uploads a plan to a new floor; returns the result. */
  const upload = async (payload: Buffer, type = 'image/png') => {
    const { FloorID } = await create(`floor ${(count += 1)}`)
    const body = { HomeID, FloorID, ContentType: type }
    const ticket = (await root.post('/UploadFloorPlan', body)).results as {
      UploadUrl: string
      MaxBytes: number
    }
    const answer = await put(ticket.UploadUrl, payload, type)
    const floor = (await list()).find((one: { FloorID: number }) => one.FloorID === FloorID)
    return { ...ticket, FloorID, answer, floor }
  }
  const image = (url: string) => world.gateway.http.inject({ url })

  it('is stored as WebP in two sizes without metadata, upright, and published to screens', async () => {
    const scan = await sharp({ create: { width: 4000, height: 2000, channels: 3, background: '#fff' } })
      .withExif({ IFD0: { Software: 'secret' }, IFD3: { GPSLatitude: '25/1 2/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { FloorID, floor, MaxBytes } = await upload(scan, 'image/jpeg')
    expect(MaxBytes).toBe(10 * 1024 * 1024)
    expect(floor).toMatchObject({ Plan: { Width: 1536, Height: 3072 }, Version: 1 })
    const [large, small] = [await image(floor.Plan.Url), await image(floor.Plan.SmallUrl)]
    const sizes = await Promise.all([large, small].map(({ rawPayload }) => sharp(rawPayload).metadata()))
    expect(sizes).toMatchObject([
      { format: 'webp', width: 1536, height: 3072 },
      { format: 'webp', width: 512, height: 1024 },
    ])
    expect(sizes.map(({ exif, orientation }) => ({ exif, orientation }))).toEqual([{}, {}])
    expect(large.rawPayload.includes('secret')).toBe(false)
    expect(changes().at(-1)).toMatchObject({ name: 'floor.update', record: { HomeID, FloorID }, by: null })
  })

  it('keeps shapes and Version when it is replaced, and its former files are deleted', async () => {
    const { FloorID, floor } = await upload(await picture('png', 300, 200))
    await update(FloorID, { Shapes: [square(0), pin(1)] })
    const body = { HomeID, FloorID, ContentType: 'image/webp' }
    const { UploadUrl } = (await root.post('/UploadFloorPlan', body)).results
    await put(UploadUrl, await picture('webp', 900, 100), 'image/webp')
    expect(await list()).toMatchObject([
      { Plan: { Width: 900, Height: 100 }, Shapes: [square(0), pin(1)], Version: 2 },
    ])
    expect((await image(floor.Plan.Url)).statusCode).toBe(404)
    expect((await image(floor.Plan.SmallUrl)).statusCode).toBe(404)
    await root.post('/DeleteFloorPlan', { HomeID, FloorID })
    expect(await list()).toMatchObject([{ Plan: null, Shapes: [square(0), pin(1)], Version: 2 }])
  })

  it.each(['/DeleteFloorPlan', '/DeleteFloor', '/DeleteHome'])('is deleted entirely by %s', async (path) => {
    const { FloorID, floor } = await upload(await picture('png', 300, 200))
    const key = path === '/DeleteHome' ? { HomeID } : { HomeID, FloorID }
    expect((await root.post(path, key)).status.code).toBe(0)
    for (const url of [floor.Plan.Url, floor.Plan.SmallUrl]) expect((await image(url)).statusCode).toBe(404)
  })

  it('is converted from CMYK as a screen shows it', async () => {
    const print = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#ff0000' } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    expect(await sharp(print).metadata()).toMatchObject({ space: 'cmyk' })
    const { floor } = await upload(print, 'image/jpeg')
    const { rawPayload } = await image(floor.Plan.Url)
    expect(await sharp(rawPayload).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
    const [red = 0, green = 0] = await sharp(rawPayload).resize(1, 1).raw().toBuffer()
    expect(red - green).toBeGreaterThan(100)
  })

  it('contains no hidden data after a picture', async () => {
    const polyglot = Buffer.concat([
      await picture('jpeg', 200, 200),
      Buffer.from('<script>alert(1)</script>PK\x03\x04'),
    ])
    const { floor } = await upload(polyglot, 'image/jpeg')
    for (const url of [floor.Plan.Url, floor.Plan.SmallUrl])
      expect((await image(url)).rawPayload.includes('script')).toBe(false)
  })

  it.each([
    ['50 million pixels', () => png(10_000, 5_000), 'tooBig'],
    ['one pixel', () => picture('png', 1, 1), 'tooSmall'],
    ['a line', () => picture('png', 500, 3), 'tooSmall'],
    ['a text that is called a picture', () => Buffer.from('all rooms are on the left'), 'imageType'],
    ['a picture that ends early', async () => (await picture('png', 300, 300)).subarray(0, 60), 'imageType'],
    ['more than 10 MiB', () => Buffer.concat([png(200, 200), Buffer.alloc(10 * 1024 * 1024)]), undefined],
  ])('is rejected with a reason if it is %s', async (_what, payload, reason) => {
    const { answer, floor } = await upload(await payload())
    expect(answer.status.code).toBe(ERRORS.INVALID.code)
    expect(answer.status.fields).toEqual(reason === undefined ? undefined : { file: reason })
    expect(floor.Plan).toBeNull()
  })

  it('leaves no file if only one of its sizes could be stored', async () => {
    const before = world.files.stored.size
    const { put: store } = world.files
    let left = 1
    world.files.put = (...of) => (left-- > 0 ? store(...of) : Promise.reject(new Error('full')))
    const { answer, floor } = await upload(await picture('png', 300, 200)).finally(
      () => (world.files.put = store),
    )
    expect(answer.status.code).not.toBe(0)
    expect(floor.Plan).toBeNull()
    expect(world.files.stored.size).toBe(before)
  })

  it('is rejected once the floor is deleted', async () => {
    const { FloorID } = await create('1F')
    const body = { HomeID, FloorID, ContentType: 'image/png' }
    const { UploadUrl, ImageUrl } = (await root.post('/UploadFloorPlan', body)).results
    await root.post('/DeleteFloor', { HomeID, FloorID })
    expect(await put(UploadUrl, await picture('png', 300, 200), 'image/png')).toMatchObject({ http: 404 })
    expect((await image(ImageUrl)).statusCode).toBe(404)
  })
})
