import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { MAX_FIRMWARE_BYTES } from '../../../../contract/devices/ota-calls.ts'
import { rights, startWorld, type Caller, type World } from '../../../support/world.ts'

let world: World
let owner: Caller
let address: string
beforeAll(async () => {
  world = await startWorld()
  address = await world.gateway.listen(0, '127.0.0.1')
  owner = await world.signUp()
})
afterAll(() => world.close())

const announce = (FirmwareVersion: string, Size: number, caller = owner, Target = 'hub') =>
  caller.post('/UploadFirmware', { Target, FirmwareVersion, Size })
const put = async (url: string, body: BodyInit) => {
  const answer = await fetch(address + url, { method: 'PUT', body })
  return ((await answer.json()) as { status: { code: number; fields?: object } }).status
}
const versions = async (caller = owner) => {
  const { results } = await caller.post('/CreateHome', {
    HomeName: `場域 ${randomBytes(4).toString('hex')}`,
    TimeZone: 'Asia/Taipei',
  })
  const all = await caller.post('/GetAllOTA', { HomeID: results.HomeID })
  return all.results.Firmwares.map(({ FirmwareVersion }: { FirmwareVersion: string }) => FirmwareVersion)
}

describe('the firmware library', () => {
  it('lists a version only after its file was uploaded, and each version once', async () => {
    const file = randomBytes(1000)
    const { results } = await announce('1.0.0', file.length)
    expect(await versions()).toEqual([])
    expect(await put(results.UploadUrl, file)).toEqual({ code: 0 })
    expect(await versions()).toEqual(['1.0.0'])
    expect((await announce('1.0.0', 5)).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { FirmwareVersion: 'taken' },
    })
    expect((await put(results.UploadUrl, file)).code).toBe(ERRORS.CONFLICT.code)
    // The content of the second upload is not stored.
    expect(world.files.stored.size).toBe(1)
  })

  it('rejects empty files, more than 64 MiB, an unknown kind and an invalid version up front', async () => {
    const wrong = async (answer: ReturnType<typeof announce>) => (await answer).status.fields
    expect(await wrong(announce('2.0.0', 0))).toEqual({ Size: 'tooSmall' })
    expect(await wrong(announce('2.0.0', 200 * 1024 * 1024))).toEqual({ Size: 'tooBig' })
    expect(await wrong(announce('2.0.0', MAX_FIRMWARE_BYTES + 1))).toEqual({ Size: 'tooBig' })
    expect(await wrong(announce('2.0.0', 1, owner, '99999'))).toEqual({ Target: 'type' })
    expect(await wrong(announce('../2', 1))).toEqual({ FirmwareVersion: 'invalid' })
  })

  it('rejects another length than announced, declared or not, and stores nothing of it', async () => {
    const stored = world.files.stored.size
    const { results } = await announce('3.0.0', 1000)
    expect(await put(results.UploadUrl, randomBytes(999))).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { file: 'tooSmall' },
    })
    expect(await put(results.UploadUrl, randomBytes(200_000))).toMatchObject({ fields: { file: 'tooBig' } })
    expect(await chunked(results.UploadUrl, [randomBytes(600), randomBytes(600)])).toMatchObject({
      fields: { file: 'tooBig' },
    })
    expect(await chunked(results.UploadUrl, [randomBytes(600)])).toMatchObject({
      fields: { file: 'tooSmall' },
    })
    expect(world.files.stored.size).toBe(stored)
    // The address still accepts the correct file.
    expect((await chunked(results.UploadUrl, [randomBytes(600), randomBytes(400)])).code).toBe(0)
  })

  it('rejects an upload address that was changed, has expired, or is for something else', async () => {
    const { results } = await announce('4.0.0', 10)
    const url = results.UploadUrl as string
    expect(
      (
        await put(
          url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
          'x',
        )
      ).code,
    ).toBe(ERRORS.NOT_FOUND.code)
    expect((await fetch(address + url)).status).toBe(404)
    world.clock.advance(15 * 60_000)
    expect((await put(url, randomBytes(10))).code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('accepts one upload of a file at a time, and few per company', async () => {
    const urls: string[] = []
    for (const n of [1, 2, 3, 4, 5]) urls.push((await announce(`6.0.${n}`, 10)).results.UploadUrl)
    const open = await Promise.all(urls.slice(0, 4).map(begin))
    expect((await put(urls[0] as string, randomBytes(10))).code).toBe(ERRORS.CONFLICT.code)
    expect((await put(urls[4] as string, randomBytes(10))).code).toBe(ERRORS.LIMIT_EXCEEDED.code)
    const stranger = await world.signUp()
    const { UploadUrl } = (await announce('6.0.1', 10, stranger)).results
    expect((await put(UploadUrl, randomBytes(10))).code).toBe(0)
    for (const finish of open) expect(await finish(randomBytes(10))).toBe(200)
    expect((await put(urls[4] as string, randomBytes(10))).code).toBe(0)
  })

  it('rejects a file if the user has lost the right, even during the upload', async () => {
    const person = await world.createUser(owner, [rights('ota', 'Create')])
    const [early, late] = [await announce('6.1.0', 10, person), await announce('6.1.1', 10, person)]
    const finish = await begin(late.results.UploadUrl)
    const stored = world.files.stored.size
    await owner.post('/UpdateUserInfo', { Email: person.email, Permissions: [] })
    expect((await put(early.results.UploadUrl, randomBytes(10))).code).toBe(ERRORS.NOT_FOUND.code)
    expect(await finish(randomBytes(10))).toBe(404)
    expect(await versions()).not.toContain('6.1.1')
    expect(world.files.stored.size).toBe(stored)
  })

  it('stores no address in clear text for a repeated RequestID', async () => {
    const asked = { Target: 'hub', FirmwareVersion: '7.0.0', Size: 1, RequestID: 'again' }
    const first = await owner.post('/UploadFirmware', asked)
    expect((await owner.post('/UploadFirmware', asked)).results).toEqual(first.results)
    const { rows } = await world.db.pool.query('select results::text from request_results')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('/ota-files/')
  })

  it('is private to a company, and requires the rights to add and to remove', async () => {
    const stranger = await world.signUp()
    expect(await versions(stranger)).toEqual([])
    const reader = await world.createUser(owner, [rights('ota', 'Read')])
    expect((await announce('5.0.0', 1, reader)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    const { results } = await announce('5.0.0', 10)
    await put(results.UploadUrl, randomBytes(10))
    const { FirmwareID } = results
    const code = async (caller: Caller) => (await caller.post('/DeleteFirmware', { FirmwareID })).status.code
    expect(await code(reader)).toBe(ERRORS.PERMISSION_DENIED.code)
    expect(await code(stranger)).toBe(ERRORS.NOT_FOUND.code)
    const before = world.files.stored.size
    expect(await code(owner)).toBe(0)
    expect(world.files.stored.size).toBe(before - 1)
    expect(await code(owner)).toBe(ERRORS.NOT_FOUND.code)
  })

  it('does not serve a firmware file as a picture', async () => {
    const [key] = [...world.files.stored.keys()]
    expect((await fetch(`${address}/images/${key}`)).status).toBe(404)
  })
})

/** Body in chunks without a Content-Length. */
const chunked = (url: string, pieces: Buffer[]) =>
  new Promise<{ code: number; fields?: object }>((resolve, reject) => {
    const sent = request(address + url, { method: 'PUT' }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve((JSON.parse(text) as { status: { code: number } }).status))
    })
    sent.on('error', reject)
    for (const piece of pieces) sent.write(piece)
    sent.end()
  })

/** Begins an upload; returns a function that sends the rest of it. */
async function begin(url: string): Promise<(file: Buffer) => Promise<number | undefined>> {
  const headers = { 'content-length': 10, expect: '100-continue' }
  const sent = request(address + url, { method: 'PUT', headers })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.once('response', (answer) => resolve(answer.resume().statusCode))
    sent.once('error', reject)
  })
  sent.flushHeaders()
  await new Promise((resolve) => sent.once('continue', resolve))
  return (file) => {
    sent.end(file)
    return answered
  }
}

it('returns the devices of every home of the company if no home is named', async () => {
  const company = await world.signUp()
  const homes: string[] = []
  for (const HomeName of ['總部', '工廠']) {
    const { HomeID } = (await company.post('/CreateHome', { HomeName, TimeZone: 'Asia/Taipei' })).results
    await company.post('/AddThing', { HomeID, DeviceName: HomeName })
    homes.push(HomeID)
  }
  const { results } = await company.post('/GetAllOTA', {})
  const devices = results.Devices.map(({ HomeID, Name }: { HomeID: string; Name: string }) => [HomeID, Name])
  expect(new Map(devices)).toEqual(
    new Map([
      [homes[0], '總部'],
      [homes[1], '工廠'],
    ]),
  )
  expect((await (await world.signUp()).post('/GetAllOTA', {})).results.Devices).toEqual([])
})
