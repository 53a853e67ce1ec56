import { act, renderHook, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AnyEndpoint, RequestOf } from '../../../contract/kernel/define-endpoint.ts'
import { defineEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { z } from 'zod'
import { session } from '../../../contract/people/session-calls.ts'
import { room } from '../../../contract/homes/room.ts'
import { describeField } from '../../../src/data/failure.ts'
import { showNoticesWith, type Notice } from '../../../src/data/notices.ts'
import { me } from '../../../src/data/session.ts'
import { useAction } from '../../../src/data/use-action.ts'
import {
  answers,
  requests,
  owner,
  rejectCall,
  server,
  signInAs,
  subUser,
  unreachable,
} from '../../support/msw.ts'

const create = room.operations.create
const lobby = { HomeID: 'h1', RoomName: 'Lobby' }
const made = { HomeID: 'h1', RoomID: 1, RoomName: 'Lobby' }

let shown: Pick<Notice, 'kind'>[] = []
let texts: string[] = []
let stopShowing = () => {}
const requestIds = () => requests.map(({ requestId }) => requestId)

beforeEach(() => {
  // Pauses between two attempts.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  requests.length = 0
  signInAs(owner)
  me.set(owner)
  shown = []
  texts = []
  stopShowing = showNoticesWith(
    (notice) => {
      shown.push(notice)
      texts.push(notice.text())
    },
    () => 'a right is missing',
  )
})
afterEach(() => {
  vi.useRealTimers()
  stopShowing()
  me.set(undefined)
})

/** Screen with one action. */
function open<E extends AnyEndpoint>(endpoint: E, options?: { feedback: 'fields' | 'failure' | 'both' }) {
  const { result, unmount } = renderHook(() => useAction(endpoint, options))
  const run = (input: RequestOf<E>, done?: () => string) => {
    let running: ReturnType<typeof result.current.run> = Promise.resolve(undefined)
    act(() => {
      running = result.current.run(input, done)
    })
    return running
  }
  /** Runs it to completion, however long the pauses between attempts are. */
  const end = async (running: Promise<unknown>) => {
    const state = { isOver: false }
    void running.finally(() => (state.isOver = true))
    while (!state.isOver) await act(() => vi.advanceTimersByTimeAsync(500))
    return running
  }
  return { result, run, end, unmount }
}

/** Gateway that stores rooms, and answers a known RequestID with its earlier result. */
function keeping(lose: (asked: number) => boolean) {
  const rooms = new Map<string | undefined, typeof made>()
  let asked = 0
  server.use(
    answers(create, (body) => {
      const id = requestIds().at(-1)
      const one = rooms.get(id) ?? { ...made, ...(body as typeof lobby), RoomID: rooms.size + 1 }
      rooms.set(id, one)
      // The response is lost.
      if (lose(++asked)) throw HttpResponse.error()
      return one
    }),
  )
  return rooms
}

describe('an action', () => {
  it('returns the results and reports success', async () => {
    let answer = (_room: typeof made) => {}
    server.use(answers(create, () => new Promise<typeof made>((resolve) => (answer = resolve))))
    const { result, run, end } = open(create)
    const running = run(lobby, () => 'Created')
    await waitFor(() => expect(requests).toHaveLength(1))
    await waitFor(() => expect(result.current.busy).toBe(true))
    answer(made)
    expect(await end(running)).toEqual(made)
    await waitFor(() => expect(result.current.busy).toBe(false))
    expect(texts).toEqual(['Created'])
  })

  it('is sent once on a double press', async () => {
    server.use(answers(create, made))
    const { run, end } = open(create)
    const [first, second] = [run(lobby, () => 'Created'), run(lobby, () => 'Created')]
    expect(await end(Promise.all([first, second]))).toEqual([made, made])
    expect(requests).toHaveLength(1)
    expect(texts).toEqual(['Created'])
  })

  it('is sent twice for two different inputs', async () => {
    server.use(answers(create, made))
    const { run, end } = open(create)
    await end(Promise.all([run(lobby), run({ ...lobby, RoomName: 'Attic' })]))
    expect(new Set(requestIds()).size).toBe(2)
  })

  it('creates one record if an answer is lost', async () => {
    const rooms = keeping((asked) => asked === 1)
    const { run, end } = open(create)
    expect(await end(run(lobby))).toEqual(made)
    expect(requests).toHaveLength(2)
    expect(new Set(requestIds()).size).toBe(1)
    expect([...rooms.values()]).toEqual([made])
  })

  it('creates one record if every answer is lost and the user retries', async () => {
    const rooms = keeping((asked) => asked <= 3)
    const { run, end } = open(create)
    expect(await end(run(lobby))).toBeUndefined()
    expect(await end(run(lobby))).toEqual(made)
    expect(requests).toHaveLength(4)
    expect(rooms.size).toBe(1)
  })

  it('creates two records if the same is requested twice', async () => {
    const rooms = keeping(() => false)
    const { run, end } = open(create)
    await end(run(lobby))
    await end(run(lobby))
    expect(rooms.size).toBe(2)
  })

  it('gets another RequestID after the input has changed', async () => {
    server.use(unreachable(create))
    const { run, end } = open(create)
    await end(run(lobby))
    await end(run({ ...lobby, RoomName: 'Attic' }))
    const [first, , , other] = requestIds()
    expect(requestIds()).toEqual([first, first, first, other, other, other])
    expect(other).not.toBe(first)
  })

  it.each(['INVALID', 'CONFLICT', 'INTERNAL', 'LIMIT_EXCEEDED'] as const)(
    'is not retried automatically after %s',
    async (failure) => {
      server.use(rejectCall(create, failure))
      const { run, end } = open(create)
      await end(run(lobby))
      expect(requests).toHaveLength(1)
    },
  )

  it('is retried twice while the gateway is unavailable', async () => {
    server.use(rejectCall(create, 'UNAVAILABLE'))
    const { run, end } = open(create)
    expect(await end(run(lobby))).toBeUndefined()
    expect(requests).toHaveLength(3)
    expect(shown).toMatchObject([{ kind: 'error' }])
  })

  it('is sent once if the gateway cannot deduplicate the call', async () => {
    server.use(unreachable(session.changePassword))
    const { run, end } = open(session.changePassword)
    await end(run({ PreviousPassword: 'old-pass1', ProposedPassword: 'new-pass1' }))
    expect(requests).toHaveLength(1)
    expect(requestIds()).toEqual([undefined])
  })

  it('is not sent 10 s after the press', async () => {
    const press = defineEndpoint({
      path: '/Press',
      summary: 'Acts at a moment.',
      access: 'signed-in',
      sites: 'none',
      mutates: true,
      input: z.object({ At: z.number() }),
      results: z.object({}),
    })
    server.use(
      answers(press, () => {
        // Simulates the time until the failure.
        vi.setSystemTime(Date.now() + 10_001)
        throw HttpResponse.error()
      }),
    )
    const { run, end } = open(press)
    expect(await end(run({ At: Date.now() }))).toBeUndefined()
    expect(requests).toHaveLength(1)
  })
})

describe('a failed action', () => {
  it.each(['fields', 'both'] as const)(
    'names the rejected fields if the screen shows %s',
    async (feedback) => {
      server.use(rejectCall(create, 'INVALID', { fields: { RoomName: 'tooLong' } }))
      const { result, run, end } = open(create, { feedback })
      expect(await end(run(lobby, () => 'Created'))).toBeUndefined()
      await waitFor(() => expect(result.current.refused).toEqual({ RoomName: 'tooLong' }))
      expect(result.current.failure).toBeUndefined()
      expect(shown).toEqual([])
      act(() => result.current.reset())
      await waitFor(() => expect(result.current.refused).toEqual({}))
    },
  )

  it('shows a notice with the reason of a field that no input shows', async () => {
    server.use(rejectCall(create, 'INVALID', { fields: { RoomName: 'tooLong' } }))
    const { result, run, end } = open(create)
    await end(run(lobby))
    expect(texts).toEqual([describeField('tooLong')])
    expect(result.current.refused).toEqual({})
  })

  it('shows a notice with details for support', async () => {
    server.use(rejectCall(create, 'INTERNAL', { requestId: 'req-1' }))
    const { result, run, end } = open(create)
    await end(run(lobby))
    expect(shown).toMatchObject([{ kind: 'error', detail: expect.stringContaining('req-1') as string }])
    await waitFor(() => expect(result.current.failure).toMatchObject({ failure: 'INTERNAL' }))
  })

  it.each(['failure', 'both'] as const)('shows no notice if the screen shows %s', async (feedback) => {
    server.use(rejectCall(create, 'CONFLICT'))
    const { result, run, end } = open(create, { feedback })
    await end(run(lobby))
    await waitFor(() => expect(result.current.failure).toMatchObject({ failure: 'CONFLICT' }))
    expect(shown).toEqual([])
  })

  it('shows one notice for a missing right', async () => {
    me.set(subUser())
    const { run, end } = open(create)
    expect(await end(run(lobby))).toBeUndefined()
    expect(texts).toEqual(['a right is missing'])
    expect(requests).toEqual([])
  })

  it('is cleared by the next success', async () => {
    server.use(rejectCall(create, 'CONFLICT'))
    const { result, run, end } = open(create)
    await end(run(lobby))
    server.use(answers(create, made))
    await end(run(lobby))
    await waitFor(() => expect(result.current.failure).toBeUndefined())
  })
})

describe('a closed screen', () => {
  it('lets its action finish and shows the result', async () => {
    server.use(answers(create, made))
    const { run, end, unmount } = open(create)
    const running = run(lobby, () => 'Created')
    unmount()
    expect(await end(running)).toEqual(made)
    expect(texts).toEqual(['Created'])
  })
})

describe('an action of several calls', () => {
  it('is busy until its last call, and fails with any', async () => {
    server.use(answers(create, made), rejectCall(room.operations.update, 'CONFLICT'))
    const { result } = renderHook(() =>
      useAction(async (name: string, send) => {
        const { HomeID, RoomID } = await send(create, { HomeID: 'h1', RoomName: name })
        return send(room.operations.update, { HomeID, RoomID, RoomName: 'Hall', Seen: {} } as never)
      }),
    )
    let answer: unknown = 'none yet'
    await act(async () => {
      answer = await result.current.run('Lobby')
    })
    expect(answer).toBeUndefined()
    expect(requests.map(({ path }) => path)).toEqual([create.path, room.operations.update.path])
    expect(shown).toMatchObject([{ kind: 'error' }])
    await waitFor(() => expect(result.current.busy).toBe(false))
  })

  it('reports success in terms of its results', async () => {
    const { result } = renderHook(() => useAction((count: number) => Promise.resolve(count * 2)))
    await act(async () => {
      await result.current.run(2, (doubled) => `${doubled} are done`)
    })
    expect(texts).toEqual(['4 are done'])
  })
})
