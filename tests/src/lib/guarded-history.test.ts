import { UNSAFE_createMemoryHistory } from 'react-router'
import { expect, it, vi } from 'vitest'
import { type NavigationGuard, guardedHistory } from '../../../src/lib/guarded-history.ts'

/** History at its second address, and the calls of its listener. */
function start(initialEntries = ['/a', '/b', '/c'], initialIndex = 1) {
  const memory = UNSAFE_createMemoryHistory({ initialEntries, initialIndex, v5Compat: true })
  const history = guardedHistory(memory)
  const told: string[] = []
  history.listen(({ action, location }) => told.push(`${action} ${location.pathname}${location.search}`))
  return { memory, history, told }
}

/** The same in a browser, which goes back and forward asynchronously, one step after the other. */
function startInBrowser(initialEntries: string[], initialIndex: number) {
  const { memory, ...rest } = start(initialEntries, initialIndex)
  const asked: number[] = []
  const step = memory.go.bind(memory)
  memory.go = (by) => void asked.push(by)
  const settle = (steps = Infinity) => {
    for (let i = 0; i < steps && asked.length > 0; i++) step(asked.shift() as number)
  }
  return { ...rest, go: (by: number) => void asked.push(by), settle, lose: () => asked.splice(0) }
}

/** Guard that blocks every navigation, and resumes the last blocked one. */
function keeper() {
  let goOn = () => {}
  const guard = vi.fn<NavigationGuard>((_from, _to, go) => {
    goOn = go
    return true
  })
  return { guard, letGoOn: () => goOn() }
}

it('navigates and notifies without a guard', () => {
  const { history, told } = start()
  history.push('/d?x=1')
  history.replace('/e')
  history.go(-1)
  expect(told).toEqual(['PUSH /d?x=1', 'REPLACE /e', 'POP /b'])
  expect(history.location.pathname).toBe('/b')
})

it.each(['push', 'replace'] as const)('blocks a %s to another address until the user confirms', (how) => {
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
])('restores the position after a step of %i until the user confirms', (delta, to) => {
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

it('asks again after the user stays and leaves another time', () => {
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

it('lets through what no guard blocks, and everything after the guard was removed', () => {
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

it('restores the position after two Back presses, and asks once', () => {
  const { history, told, go, settle } = startInBrowser(['/a', '/b', '/c', '/form'], 3)
  const { guard, letGoOn } = keeper()
  history.guard(guard)
  go(-1)
  go(-1)
  settle()
  expect(history.location.pathname).toBe('/form')
  expect(guard).toHaveBeenCalledTimes(1)
  expect(told).toEqual([])
  letGoOn()
  settle()
  expect(told).toEqual(['POP /c'])
  expect(history.location.pathname).toBe('/c')
})

it('handles Back again if a page saved meanwhile replaced the restoring step', () => {
  const { history, told, go, settle, lose } = startInBrowser(['/a', '/form'], 1)
  const { guard } = keeper()
  const release = history.guard(guard)
  go(-1)
  settle(1)
  release()
  history.push('/saved')
  lose()
  go(-1)
  settle()
  expect(told).toEqual(['PUSH /saved', 'POP /a'])
})
