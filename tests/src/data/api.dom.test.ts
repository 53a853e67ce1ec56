import { QueryObserver } from '@tanstack/react-query'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../contract/kernel/errors.ts'
import { company } from '../../../contract/people/company-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { room } from '../../../contract/homes/room.ts'
import { gatewayNow, updateGatewayClock } from '../../../src/lib/gateway-clock.ts'
import { call, callQuery, PermissionRefused, queryClient, onSessionEnd } from '../../../src/data/api.ts'
import { setSignedIn } from '../../../src/data/auth-state.ts'
import { showNoticesWith } from '../../../src/data/notices.ts'
import { describeRight } from '../../../src/data/failure.ts'
import { me } from '../../../src/data/session.ts'
import {
  answers,
  neverAnswers,
  requests,
  owner,
  proxyAnswers,
  rejectCall,
  server,
  signInAs,
  subUser,
  unreachable,
} from '../../support/msw.ts'
import { PATIENT } from '../../support/patient.ts'

const list = room.operations.list
const input = { HomeID: 'h1' }
let tokens: ReturnType<typeof signInAs>

beforeEach(() => {
  requests.length = 0
  tokens = signInAs(owner)
  me.set(owner)
})
afterEach(() => me.set(undefined))

describe('a call', () => {
  it('sends the identity token and returns the results', async () => {
    const rooms = [{ HomeID: 'h1', RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] }]
    server.use(answers(list, rooms))
    expect(await call(list, input)).toEqual(rooms)
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${tokens.idToken}`)
    expect(requests[0]?.body).toEqual(input)
  })

  it('adds the access token if the specification requires it', async () => {
    server.use(answers(session.initializeUser, owner))
    await call(session.initializeUser, {})
    expect(requests[0]?.headers.get('x-access-token')).toBe(tokens.accessToken)
  })

  it('reports a conflict within 2 s even if the refetch does not finish', async () => {
    server.use(answers(list, []))
    const observer = new QueryObserver(queryClient, callQuery(list, input))
    const leave = observer.subscribe(() => {})
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual([]), PATIENT)
    server.use(neverAnswers(list), rejectCall(room.operations.update, 'CONFLICT'))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const refused = vi.fn()
    call(room.operations.update, { HomeID: 'h1', RoomID: 1, RoomName: 'A' }).catch(refused)
    await vi.waitFor(() => expect(observer.getCurrentResult().isFetching).toBe(true), PATIENT)
    expect(refused).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2_000)
    await vi.waitFor(() => expect(refused).toHaveBeenCalledOnce(), PATIENT)
    vi.useRealTimers()
    leave()
    queryClient.clear()
  })

  it('uses the API key instead for the public auth API', async () => {
    server.use(answers(company.getCompanyPublicProfile, { LogoName: '', LogoUrl: null }))
    await call(company.getCompanyPublicProfile, {})
    expect(requests[0]?.headers.get('x-api-key')).toBe('the-api-key')
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })

  it('reads the personal settings by GET', async () => {
    const config = { ...DEFAULT_PERSONAL_CONFIG, Notification: true, DecimalPrecision: 3 }
    server.use(answers(personal.getPersonalConfig, config))
    expect(await call(personal.getPersonalConfig, {})).toEqual(config)
  })

  it.each((Object.keys(ERRORS) as ErrorCode[]).filter((name) => name !== 'UNAUTHENTICATED'))(
    'fails as %s',
    async (name) => {
      server.use(rejectCall(list, name, { requestId: 'req-1' }))
      await expect(call(list, input)).rejects.toMatchObject({
        failure: name,
        code: ERRORS[name].code,
        requestId: 'req-1',
      })
    },
  )

  it('names the rejected fields', async () => {
    server.use(rejectCall(list, 'INVALID', { fields: { HomeID: 'id' } }))
    await expect(call(list, input)).rejects.toMatchObject({ fields: { HomeID: 'id' } })
  })

  it('ends the session if the gateway rejects the token', async () => {
    const ended = vi.fn()
    onSessionEnd(ended)
    server.use(rejectCall(list, 'UNAUTHENTICATED'))
    await expect(call(list, input)).rejects.toMatchObject({ failure: 'UNAUTHENTICATED' })
    expect(ended).toHaveBeenCalledTimes(1)
    onSessionEnd(() => {})
  })

  it('keeps a newer session if a call of an earlier one is rejected', async () => {
    const ended = vi.fn()
    onSessionEnd(ended)
    let refuse = () => {}
    const asked = new Promise<void>((arrived) => {
      const answer = async () => {
        await new Promise<void>((resolve) => {
          refuse = resolve
          arrived()
        })
        return HttpResponse.json({ status: { code: ERRORS.UNAUTHENTICATED.code } }, { status: 401 })
      }
      server.use(http.post(`*${list.path}`, answer))
    })
    const late = call(list, input)
    await asked
    setSignedIn()
    refuse()
    await expect(late).rejects.toMatchObject({ failure: 'UNAUTHENTICATED' })
    expect(ended).not.toHaveBeenCalled()
    onSessionEnd(() => {})
  })

  it.each([
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [404, 'INTERNAL'],
  ])("treats a proxy's own %i page as %s", async (status, failure) => {
    server.use(proxyAnswers(list, status))
    await expect(call(list, input)).rejects.toMatchObject({ failure })
  })

  it('treats an answer without an envelope as an error', async () => {
    server.use(http.post('*/GetRoombyHomeId', () => HttpResponse.json({ rooms: [] })))
    await expect(call(list, input)).rejects.toMatchObject({ failure: 'INTERNAL' })
  })

  it("provides the gateway's time despite a wrong device clock", async () => {
    const there = Date.now() - 86_400_000
    server.use(
      http.post(`*${list.path}`, () =>
        HttpResponse.json(
          { status: { code: 0 }, results: [] },
          { headers: { date: new Date(there).toUTCString() } },
        ),
      ),
    )
    await call(list, input)
    expect(gatewayNow() - there).toBeLessThan(60_000)
    updateGatewayClock(new Date().toUTCString(), Date.now())
    expect(gatewayNow() - there).toBeGreaterThanOrEqual(86_400_000)
  })

  it('reports a lost network', async () => {
    server.use(unreachable(list))
    await expect(call(list, input)).rejects.toMatchObject({ failure: 'NETWORK', code: 0 })
  })

  it('can be aborted', async () => {
    server.use(neverAnswers(list))
    const control = new AbortController()
    const pending = call(list, input, { signal: control.signal })
    setTimeout(() => control.abort())
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a call without the right', () => {
  it('is not sent, and the user sees which right is missing', async () => {
    me.set(subUser())
    const shown: string[] = []
    showNoticesWith(({ text }) => shown.push(text()), describeRight)
    const refused = call(room.operations.create, { HomeID: 'h1', RoomName: 'x' })
    await expect(refused).rejects.toBeInstanceOf(PermissionRefused)
    await expect(refused).rejects.toMatchObject({ missing: { feature: 'room', operation: 'Create' } })
    expect(requests).toEqual([])
    expect(shown).toEqual(['您缺少「房間」的「新增」權限，請向公司擁有者或帳號管理員申請。'])
  })

  it('is sent once the right is granted', async () => {
    me.set(subUser([{ FeatureKey: 'room', OperationList: ['Create'] }]))
    server.use(answers(room.operations.create, { HomeID: 'h1', RoomID: 1, RoomName: 'x' }))
    expect(await call(room.operations.create, { HomeID: 'h1', RoomName: 'x' })).toMatchObject({ RoomID: 1 })
  })
})
