import CheckCircleOutlined from '@ant-design/icons-svg/es/asn/CheckCircleOutlined.js'
import ExclamationCircleFilled from '@ant-design/icons-svg/es/asn/ExclamationCircleFilled.js'
import MinusCircleOutlined from '@ant-design/icons-svg/es/asn/MinusCircleOutlined.js'
import QuestionCircleOutlined from '@ant-design/icons-svg/es/asn/QuestionCircleOutlined.js'
import WarningFilled from '@ant-design/icons-svg/es/asn/WarningFilled.js'
import { memo } from 'react'
import type { RoomWithContents } from '../../../contract/homes/room.ts'
import page from '../../ui/page/page.module.css'
import styles from './building.module.css'
import type { RoomBookings } from './use-room-bookings.ts'
import { type ShownRoom, useRoomLook } from './use-room-words.ts'
import { LAYERS } from '../../domain/room/room-layers.ts'
import type { RoomSummary } from '../../domain/room/room-summary.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'

/** Color and sign of each state; the sign works without color vision. */
const STATE_STYLES: Readonly<Record<RoomSummary['state'], { tone: Tone; sign: typeof WarningFilled }>> = {
  critical: { tone: 'alarm', sign: ExclamationCircleFilled },
  warning: { tone: 'warning', sign: WarningFilled },
  unknown: { tone: 'offline', sign: QuestionCircleOutlined },
  well: { tone: 'good', sign: CheckCircleOutlined },
  bare: { tone: 'offline', sign: MinusCircleOutlined },
}

interface StateProps {
  state: RoomSummary['state']
  words: string
  /** Omits the color on a colored background, where it would be illegible. */
  isPlain?: boolean
}

export function RoomState({ state, words, isPlain = false }: StateProps) {
  const { tone, sign } = STATE_STYLES[state]
  return (
    <StateTag tone={isPlain ? 'plain' : tone} icon={<Icon of={sign} />}>
      {words}
    </StateTag>
  )
}

/** One room: its worst state and all known values. Renders only for changes of its own room. */
const RoomTile = memo(function RoomTile({ open, name, ...shown }: ShownRoom) {
  const t = useT()
  const { RoomID, layer } = shown
  const { words, state, step, isHatched } = useRoomLook(shown)
  const first = layer && words[layer]
  const otherLayers = LAYERS.filter((other) => other !== layer && words[other] !== undefined)
  return (
    <button
      type="button"
      className={styles.tile}
      data-step={step}
      data-hatched={isHatched || undefined}
      data-state={state}
      onClick={() => open(RoomID)}
    >
      <span className={styles.name}>{name}</span>
      <RoomState state={state} words={words.state} isPlain={step !== undefined || isHatched} />
      {layer !== undefined && <span className={styles.lead}>{first ?? t('building:nothing')}</span>}
      {otherLayers.map((other) => (
        <span key={other} className={styles.fact}>
          <small>{t(`building:layers.${other}`)}</small>
          <span>{words[other]}</span>
        </span>
      ))}
    </button>
  )
})

export interface WallProps extends Pick<ShownRoom, 'store' | 'layer' | 'open'> {
  rooms: readonly RoomWithContents[]
  booked: ReadonlyMap<number, RoomBookings>
}

export const RoomWall = ({ rooms, booked, ...shown }: WallProps) => (
  <ul className={styles.wall}>
    {rooms.map(({ RoomID, RoomName }) => (
      <li key={RoomID} className={page.stack}>
        <RoomTile {...shown} RoomID={RoomID} name={RoomName} booked={booked.get(RoomID)} />
      </li>
    ))}
  </ul>
)
