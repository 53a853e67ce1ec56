import { newPeer, PEER_TIMEOUT_MS, type State } from './state.ts'

/** One that the database has seen within this time lives, in ms: it is seen every other second. */
const ALIVE_MS = 5_000

/** News are missing while this gateway is cut off, or another that lives is not heard. */
export function detectGap(state: State): void {
  const now = state.clock.now()
  const others = new Map(state.peers.others().map(({ id, age }) => [id, age]))
  for (const id of others.keys()) if (!state.heard.has(id)) state.heard.set(id, newPeer(now))
  for (const id of state.heard.keys())
    if (!others.has(id)) {
      state.heard.delete(id)
      state.wants.forget(id)
    }
  const silent = [...state.heard].flatMap(([id, { heardAt }]) =>
    (others.get(id) ?? ALIVE_MS) < ALIVE_MS && now - heardAt > PEER_TIMEOUT_MS ? [heardAt] : [],
  )
  const isCutOff = state.downSince !== undefined && others.size > 0
  if (isCutOff) beginGap(state, state.downSince ?? now, 'cutOff')
  else if (silent.length > 0) beginGap(state, Math.min(...silent), 'silence')
  else if (state.gap) endGap(state)
}

/** News are missing from now on, until `lookForGap` finds that none are. */
export function beginGap(state: State, since: number, reason: 'cutOff' | 'silence' | 'missing'): void {
  if (state.gap) return
  state.gap = { since }
  state.metrics.gapBegan(reason)
  state.ears.gap({ since, over: false })
}

function endGap(state: State): void {
  const { since } = state.gap ?? { since: state.clock.now() }
  state.gap = undefined
  state.ears.gap({ since, over: true })
}
