import { UNSAFE_createMemoryHistory } from 'react-router'
import { expect, it, vi } from 'vitest'
import { type Guard, guardedHistory } from '../../../src/lib/guarded-history.ts'

/** A history of three addresses at its second, and what its listener is told. */
function start() {
  const history = guardedHistory(
    UNSAFE_createMemoryHistory({ initialEntries: ['/a', '/b', '/c'], initialIndex: 1, v5Compat: true }),
  )
  const told: string[] = []
  history.listen(({ action, location }) => told.push(`${action} ${location.pathname}${location.search}`))
  return { history, told }
}

/** Keeps everybody, and lets go on who was kept last. */
function keeper() {
  let goOn = () => {}
  const guard = vi.fn<Guard>((_from, _to, go) => {
    goOn = go
    return true
  })
  return { guard, letGoOn: () => goOn() }
}

it('moves and tells of it while nobody guards it', () => {
  const { history, told } = start()
  history.push('/d?x=1')
  history.replace('/e')
  history.go(-1)
  expect(told).toEqual(['PUSH /d?x=1', 'REPLACE /e', 'POP /b'])
  expect(history.location.pathname).toBe('/b')
})

it.each(['push', 'replace'] as const)('keeps who would %s another address, until they go on', (how) => {
  const { history, told } = start()
  const { guard, letGoOn } = keeper()
  history.guard(guard)
  history[how]({ pathname: '/d', search: '?x=1' }, { from: 'b' })
  expect(told).toEqual([])
  expect(history.location.pathname).toBe('/b')
  expect(guard.mock.calls[0]?.slice(0, 2)).toMatchObject([
    { pathname: '/b' },
    { pathname: '/d', search: '?x=1', hash: '', state: { from: 'b' } },
  ])
  letGoOn()
  expect(told).toEqual([`${how.toUpperCase()} /d?x=1`])
  expect(history.location.state).toEqual({ from: 'b' })
  expect(guard).toHaveBeenCalledTimes(1)
})

it.each([
  [-1, '/a'],
  [1, '/c'],
])('sends back who went %i, until they go on', (delta, to) => {
  const { history, told } = start()
  const { guard, letGoOn } = keeper()
  history.guard(guard)
  history.go(delta)
  expect(history.location.pathname).toBe('/b')
  expect(guard.mock.calls[0]?.slice(0, 2)).toMatchObject([{ pathname: '/b' }, { pathname: to }])
  letGoOn()
  expect(told).toEqual([`POP ${to}`])
  expect(history.location.pathname).toBe(to)
  expect(guard).toHaveBeenCalledTimes(1)
})

it('asks again of who stays and leaves another time', () => {
  const { history, told } = start()
  const { guard } = keeper()
  history.guard(guard)
  history.go(-1)
  history.push('/d')
  history.go(-1)
  expect(guard).toHaveBeenCalledTimes(3)
  expect(told).toEqual([])
  expect(history.location.pathname).toBe('/b')
})

it('lets through what no guard keeps, and everything once the guard has gone', () => {
  const { history, told } = start()
  const { guard } = keeper()
  const release = history.guard(guard)
  history.guard(() => false)
  guard.mockReturnValueOnce(false)
  history.push('/d')
  release()
  history.go(-1)
  expect(told).toEqual(['PUSH /d', 'POP /b'])
})
