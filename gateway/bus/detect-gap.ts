import { newPeer, PEER_TIMEOUT_MS, type State } from './state.ts'

/** Maximum age of a gateway's last update in the database for it to count as alive, in ms; it updates every other second. */
const ALIVE_MS = 5_000

/** Begins a gap if this gateway is disconnected, or if another one that is alive is silent. */
export function detectGap(state: State): void {
  const now = state.clock.now()
  const others = new Map(state.peers.others().map(({ id, age }) => [id, age]))
  for (const id of others.keys()) if (!state.peersById.has(id)) state.peersById.set(id, newPeer(now))
  for (const id of state.peersById.keys())
    if (!others.has(id)) {
      state.peersById.delete(id)
      state.interests.remove(id)
    }
  const silentSince = [...state.peersById].flatMap(([id, { lastMessageAt }]) =>
    (others.get(id) ?? ALIVE_MS) < ALIVE_MS && now - lastMessageAt > PEER_TIMEOUT_MS ? [lastMessageAt] : [],
  )
  const isCutOff = state.downSince !== undefined && others.size > 0
  if (isCutOff) beginGap(state, state.downSince ?? now, 'cutOff')
  else if (silentSince.length > 0) beginGap(state, Math.min(...silentSince), 'silence')
  else if (state.gap) endGap(state)
}

/** Marks messages as possibly missing from now on, until `detectGap` ends the gap. */
export function beginGap(state: State, since: number, reason: 'cutOff' | 'silence' | 'missing'): void {
  if (state.gap) return
  state.gap = { since }
  state.metrics.recordGap(reason)
  state.handlers.onGap({ since, isOver: false })
}

function endGap(state: State): void {
  const { since } = state.gap ?? { since: state.clock.now() }
  state.gap = undefined
  state.handlers.onGap({ since, isOver: true })
}
