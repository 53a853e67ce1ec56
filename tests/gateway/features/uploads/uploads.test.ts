import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDiscovered } from '../../../support/discoveries.ts'
import { jpeg, picture, png } from '../../../support/pictures.ts'
import { createPhotoAddresses } from '../../../../gateway/features/uploads/addresses.ts'
import { deriveKey } from '../../../../gateway/lib/seal.ts'
import { CLIENT_ID, SECRET } from '../../../support/user-pool.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

const HOUR = 3_600_000

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const put = async (url: string, payload: Buffer, type = 'image/png') => {
  const headers = { 'content-type': type }
  const answer = await world.gateway.http.inject({ method: 'PUT', url, payload, headers })
  return { http: answer.statusCode, ...answer.json() }
}
const ticket = async (ContentType = 'image/png') =>
  (await root.post('/UploadCompanyLogo', { ContentType })).results as { UploadUrl: string; ImageUrl: string }
const logo = async () => (await root.post('/GetCompanyProfile')).results.LogoUrl as string | null

describe('a logo', () => {
  it('is uploaded with one ticket, shown to everyone and published to the screens', async () => {
    const { UploadUrl, ImageUrl } = await ticket()
    expect(await logo()).toBeNull()
    expect(await put(UploadUrl, await picture('png', 300, 100))).toMatchObject({
      http: 200,
      results: { ImageUrl },
    })
    expect(await logo()).toBe(ImageUrl)
    const change = { tenant: root.tenant, name: 'company.update', record: { LogoUrl: ImageUrl } }
    expect(world.events.at(-1)).toMatchObject({ name: 'dataChange', event: change })

    const image = await world.gateway.http.inject({ url: ImageUrl })
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'png', width: 300, height: 100 })
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it('replaces the former one, whose file is deleted', async () => {
    const before = (await logo()) as string
    await put((await ticket('image/webp')).UploadUrl, await picture('webp', 64, 64), 'image/webp')
    expect(await logo()).not.toBe(before)
    expect((await world.gateway.http.inject({ url: before })).statusCode).toBe(404)
  })

  it('is rejected if it is taller than wide', async () => {
    const answer = await put((await ticket()).UploadUrl, png(100, 101))
    expect(answer).toMatchObject({ http: 400, status: { code: 1, fields: { file: 'logoShape' } } })
  })
})

describe('a picture', () => {
  it('is re-encoded: upright, at most 2,048 px long, without its location', async () => {
    const photo = await sharp({ create: { width: 3000, height: 1200, channels: 3, background: '#333' } })
      .withExif({ IFD0: { Software: 'secret' }, IFD3: { GPSLatitude: '25/1 2/1 0/1' } })
      .withMetadata({ orientation: 3 })
      .jpeg()
      .toBuffer()
    const { UploadUrl, ImageUrl } = await ticket('image/jpeg')
    expect(await put(UploadUrl, photo, 'image/jpeg')).toMatchObject({ http: 200 })
    const kept = (await world.gateway.http.inject({ url: ImageUrl })).rawPayload
    const { width, height, exif, orientation } = await sharp(kept).metadata()
    expect({ width, height, exif, orientation }).toEqual({ width: 2048, height: 819 })
    expect(kept.includes('secret')).toBe(false)
  })

  it('that cannot be drawn is rejected, and its ticket remains valid', async () => {
    const { UploadUrl } = await ticket()
    expect(await put(UploadUrl, png(300, 100))).toMatchObject({
      http: 400,
      status: { fields: { file: 'imageType' } },
    })
    expect(await put(UploadUrl, await picture('png', 30, 10))).toMatchObject({ http: 200 })
  })
})

describe('an upload', () => {
  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a page', Buffer.from('<script>alert(1)</script>')],
    ['another format than announced', jpeg(10, 10)],
    ['nothing', Buffer.alloc(0)],
    ['a picture of a million pixels a side', png(1_000_000, 1_000_000)],
    ['a picture that unpacks to hundreds of megabytes', png(16_000, 4_000)],
  ])('is rejected if it is %s', async (_what, bytes) => {
    const before = await logo()
    expect(await put((await ticket()).UploadUrl, bytes)).toMatchObject({ http: 400, status: { code: 1 } })
    expect(await logo()).toBe(before)
  })

  it('is rejected if it is larger than 5 MiB', async () => {
    const big = Buffer.concat([png(10, 10), Buffer.alloc(5 * 1024 * 1024)])
    expect(await put((await ticket()).UploadUrl, big)).toMatchObject({ http: 400, status: { code: 1 } })
  })

  it('is accepted once per ticket, even if it comes twice at the same time', async () => {
    const { UploadUrl } = await ticket()
    const answers = await Promise.all([
      put(UploadUrl, await picture('png', 9, 9)),
      put(UploadUrl, await picture('png', 8, 8)),
    ])
    expect(answers.map(({ status }) => status.code).sort()).toEqual([0, 3])
    expect((await put(UploadUrl, await picture('png', 7, 7))).status.code).toBe(3)
  })

  it('is never accepted again with a used ticket, even after its picture was replaced', async () => {
    const first = await ticket()
    await put(first.UploadUrl, await picture('png', 9, 9))
    const second = await ticket()
    await put(second.UploadUrl, await picture('png', 8, 8))
    expect((await put(first.UploadUrl, await picture('png', 7, 7))).status.code).toBe(3)
    expect(await logo()).toBe(second.ImageUrl)
  })

  it('without a valid ticket is rejected before its bytes are read', async () => {
    const big = Buffer.alloc(6 * 1024 * 1024)
    expect((await put('/uploads/nothing', big)).status.code).toBe(2)
  })

  it('is rejected with a ticket that was changed, or is older than 15 minutes', async () => {
    const { UploadUrl } = await ticket()
    const changed = UploadUrl.replace(/.(?=\.)/, (char) => (char === 'A' ? 'B' : 'A'))
    expect((await put(changed, await picture('png', 9, 9))).status.code).toBe(2)
    world.clock.advance(15 * 60_000)
    expect((await put(UploadUrl, await picture('png', 9, 9))).status.code).toBe(2)
    root = await world.signIn(root.email, root.password)
  })

  it('is rejected if its user lost the right, signed out or was deleted', async () => {
    const painter = () => world.createUser(root, [rights('company', 'Update')])
    const bytes = await picture('png', 9, 9)
    const before = await logo()
    for (const end of [
      ({ email }: Caller) => root.post('/UpdateUserInfo', { Email: email, Permissions: [] }),
      ({ email }: Caller) => root.post('/UpdateUserInfo', { Email: email, enabled: false }),
      ({ email }: Caller) => root.post('/DeleteUser', { Email: email }),
      ({ refreshToken }: Caller) =>
        world.cognito('RevokeToken', { Token: refreshToken, ClientId: CLIENT_ID }),
    ]) {
      const person = await painter()
      const { UploadUrl } = (await person.post('/UploadCompanyLogo', { ContentType: 'image/png' })).results
      await end(person)
      expect(await put(UploadUrl, bytes)).toMatchObject({ http: 404, status: { code: 2 } })
    }
    expect(await logo()).toBe(before)
  })

  it('of a device picture requires the right to change devices', async () => {
    const reader = await world.createUser(root, [rights('device', 'Read')])
    const body = { HomeID: 'h', PeripheralUID: 'p', ContentType: 'image/png' }
    expect((await reader.post('/UploadPeripheralImage', body)).status.code).toBe(5)
    expect((await root.post('/UploadPeripheralImage', body)).status.code).toBe(2)
  })

  it('links the device to its picture until that is deleted', async () => {
    const { HomeID } = (await root.post('/CreateHome', { HomeName: 'H', TimeZone: 'Asia/Taipei' })).results
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'Hub' })).results
    await world.db.query({
      name: 'test_discovery',
      text: `insert into discoveries (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, discovered_at)
        values ($1, 'p1', '516', 'Lamp', $2, $3, 0)`,
      values: [root.tenant, HomeID, ThingName],
    })
    const add = { HomeID, Peripherals: [{ PeripheralUID: 'p1', PeripheralName: 'Lamp' }] }
    expect((await root.post('/AddPeripherals', add)).status.code).toBe(0)
    const key = { HomeID, PeripheralUID: 'p1' }
    const { UploadUrl, ImageUrl } = (
      await root.post('/UploadPeripheralImage', { ...key, ContentType: 'image/jpeg' })
    ).results
    expect((await put(UploadUrl, await picture('jpeg', 10, 20), 'image/jpeg')).status.code).toBe(0)
    const url = async () => {
      const text = 'select peripheral_image_url as url from peripherals where tenant = $1'
      return (await world.db.query<{ url: string }>({ name: 'test_url', text, values: [root.tenant] }))[0]
        ?.url
    }
    expect(await url()).toBe(ImageUrl)
    await world.db.pool.query(
      "alter table audit_log add constraint fault check (path <> '/DeletePeripheralImage') not valid",
    )
    expect((await root.post('/DeletePeripheralImage', key)).status.code).toBe(9)
    await world.db.pool.query('alter table audit_log drop constraint fault')
    expect((await world.gateway.http.inject({ url: ImageUrl })).statusCode).toBe(200)
    expect((await root.post('/DeletePeripheralImage', key)).status.code).toBe(0)
    expect(await url()).toBeNull()
    expect((await world.gateway.http.inject({ url: ImageUrl })).statusCode).toBe(404)
  })

  it('shows an employee until it is deleted, and both are published', async () => {
    const hired = await root.post('/CreateEmployee', { EmployeeName: '甲', Email: 'photo@example.com' })
    const key = { EmployeeID: hired.results.EmployeeID }
    const photo = async () => (await root.post('/GetEmployee', key)).results.PhotoUrl as string | null
    const told = () => world.events.findLast(({ name }) => name === 'dataChange')?.event
    const asked = { ...key, ContentType: 'image/png' }
    const { UploadUrl, ImageUrl } = (await root.post('/UploadEmployeePhoto', asked)).results
    expect((await put(UploadUrl, await picture('png', 9, 9))).status.code).toBe(0)
    expect(await photo()).toBe(ImageUrl)
    expect((await world.gateway.http.inject({ url: ImageUrl })).statusCode).toBe(200)
    expect(told()).toMatchObject({ name: 'employee.update', record: key, by: null })
    expect((await root.post('/DeleteEmployeePhoto', key)).status.code).toBe(0)
    expect(await photo()).toBeNull()
    expect(told()).toMatchObject({ name: 'employee.update', record: key, by: root.cognitoId })
    expect((await world.gateway.http.inject({ url: ImageUrl })).statusCode).toBe(404)
  })

  it.each(['/RemovePeripheral', '/RemoveThing', '/DeleteHome'])(
    'is deleted with its device by %s',
    async (path) => {
      const PeripheralUID = `pictured-${path.slice(1)}`
      const { HomeID } = (await root.post('/CreateHome', { HomeName: path, TimeZone: 'Asia/Taipei' })).results
      const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'Hub' })).results
      await addDiscovered(world, root, { HomeID, ThingName, uids: [PeripheralUID] })
      const key = { HomeID, PeripheralUID }
      const body = { ...key, ContentType: 'image/png' }
      const { UploadUrl, ImageUrl } = (await root.post('/UploadPeripheralImage', body)).results
      expect((await put(UploadUrl, await picture('png', 9, 9))).status.code).toBe(0)
      const keys = {
        '/RemovePeripheral': key,
        '/RemoveThing': { HomeID, ThingName },
        '/DeleteHome': { HomeID },
      }
      expect((await root.post(path, keys[path as keyof typeof keys])).status.code).toBe(0)
      expect((await world.gateway.http.inject({ url: ImageUrl })).statusCode).toBe(404)
    },
  )
})

describe('the photo of an employee', () => {
  // Tokens are valid for an hour.
  const signInAgain = async () => {
    root = await world.signIn(root.email, root.password)
  }
  beforeEach(signInAgain)
  const hire = async (Email: string) => {
    const { EmployeeID } = (await root.post('/CreateEmployee', { EmployeeName: '乙', Email })).results
    const asked = { EmployeeID, ContentType: 'image/png' }
    const { UploadUrl } = (await root.post('/UploadEmployeePhoto', asked)).results
    await put(UploadUrl, await picture('png', 9, 9))
    const read = async () => {
      await signInAgain()
      return (await root.post('/GetEmployee', { EmployeeID })).results.PhotoUrl as string
    }
    return { EmployeeID, read }
  }
  const statusOf = async (url: string) => (await world.gateway.http.inject({ url })).statusCode

  it('has an address valid for one to two hours, the same within an hour and in lists', async () => {
    const { EmployeeID, read } = await hire('signed@example.com')
    world.clock.advance(HOUR - (world.clock.now() % HOUR))
    const address = await read()
    expect(await statusOf(address)).toBe(200)
    world.clock.advance(HOUR - 1)
    expect(await read()).toBe(address)
    const rows = (await root.post('/ListEmployee')).results.Rows as { EmployeeID: string; PhotoUrl: string }[]
    expect(rows.find((row) => row.EmployeeID === EmployeeID)?.PhotoUrl).toBe(address)
    const { headers } = await world.gateway.http.inject({ url: address })
    expect(headers['cache-control']).toBe('private, max-age=3600, immutable')
    world.clock.advance(HOUR)
    expect(await statusOf(address)).toBe(200)
    world.clock.advance(1)
    expect(await statusOf(address)).toBe(404)
    expect(await statusOf(await read())).toBe(200)
  })

  it('is included in the export of its person', async () => {
    const { EmployeeID } = await hire('copy@example.com')
    await signInAgain()
    const { results } = await root.post('/ExportEmployeeData', { EmployeeID })
    expect(await statusOf(results.Sections.Employee[0].photo_url)).toBe(200)
  })

  it('is not found without a signature, with that of another photo or a later expiry', async () => {
    const [address, other] = await Promise.all(
      ['one@example.com', 'other@example.com'].map(async (email) => (await hire(email)).read()),
    )
    const [path = '', query = ''] = (address ?? '').split('?')
    const later = query.replace(/until=\d+/, `until=${world.clock.now() + 10 * HOUR}`)
    for (const url of [
      path,
      `${path}?${other?.split('?')[1]}`,
      `${path}?${later}`,
      `${path}?until=1&until=2`,
    ])
      expect(await statusOf(url)).toBe(404)
  })

  it('requires a signature even if a gateway of the previous release stored it', async () => {
    const { EmployeeID, read } = await hire('old@example.com')
    const stored = await world.files.get((await read()).split('?')[0]?.replace('/images/', '') ?? '')
    const key = `${root.tenant}/i-${'a'.repeat(22)}.png`
    await world.files.put(key, stored?.bytes ?? new Uint8Array(), 'image/png')
    await world.db.pool.query('update employees set photo_url = $1 where employee_id = $2', [
      `/images/${key}`,
      EmployeeID,
    ])
    expect(await statusOf(`/images/${key}`)).toBe(404)
    expect(await statusOf(await read())).toBe(200)
  })

  it('is readable from each gateway that has the same secret', async () => {
    const { read } = await hire('gateways@example.com')
    const key = deriveKey(SECRET, 'photo addresses')
    const another = createPhotoAddresses({ clock: world.clock, key })
    const [path = '', query = ''] = (await read()).split('?')
    expect(another.remainingMs(path, Object.fromEntries(new URLSearchParams(query)))).toBeGreaterThan(0)
    expect(await statusOf(another.addressOf(path))).toBe(200)
  })
})
