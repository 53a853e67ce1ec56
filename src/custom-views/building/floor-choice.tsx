import ExclamationCircleFilled from '@ant-design/icons-svg/es/asn/ExclamationCircleFilled.js'
import QuestionCircleOutlined from '@ant-design/icons-svg/es/asn/QuestionCircleOutlined.js'
import WarningFilled from '@ant-design/icons-svg/es/asn/WarningFilled.js'
import { useSyncExternalStore } from 'react'
import type { Floor } from '../../../contract/homes/floor.ts'
import type { RoomSummary } from '../../domain/room/room-summary.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import page from '../../ui/page/page.module.css'
import styles from './building.module.css'
import type { RoomStore } from './room-store.ts'

/** Value for all rooms as tiles. */
export const ALL = 'all'

type State = RoomSummary['state']
/** The worst first; a good state needs no sign. */
const STATES_BY_SEVERITY: readonly State[] = ['critical', 'warning', 'unknown']
const SIGNS: Partial<Record<State, typeof WarningFilled>> = {
  critical: ExclamationCircleFilled,
  warning: WarningFilled,
  unknown: QuestionCircleOutlined,
}

interface Props {
  floors: readonly Floor[]
  /** The chosen FloorID, or ALL. */
  shownFloor: string
  store: RoomStore
  choose: (floor: string) => void
}

/** Selects a floor; shows the worst state of its rooms, so that problems on other floors are visible. */
export function FloorChoice({ floors, shownFloor, store, choose }: Props) {
  const t = useT()
  const states = useWorstStates(store, floors)
  return (
    <fieldset className={page.buttons} aria-label={t('building:floor')}>
      {floors.map(({ FloorID, FloorName }, i) => {
        const state = states[i] as State
        const sign = SIGNS[state]
        return (
          <button
            key={FloorID}
            type="button"
            className={page.chip}
            aria-pressed={String(FloorID) === shownFloor}
            onClick={() => choose(String(FloorID))}
          >
            {sign && (
              <span
                role="img"
                className={styles.floorSign}
                data-state={state}
                aria-label={t(`building:states.${state}`)}
              >
                <Icon of={sign} />
              </span>
            )}{' '}
            {FloorName}
          </button>
        )
      })}
      <button
        type="button"
        className={page.chip}
        aria-pressed={shownFloor === ALL}
        onClick={() => choose(ALL)}
      >
        {t('building:allRooms')}
      </button>
    </fieldset>
  )
}

/** Worst state of each floor's rooms; renders only when one changes. */
function useWorstStates(store: RoomStore, floors: readonly Floor[]): readonly State[] {
  const all = useSyncExternalStore(store.subscribeAll, () =>
    floors
      .map(({ Shapes }) => {
        const states = new Set(Shapes.map(({ RoomID }) => store.get(RoomID)?.state))
        return STATES_BY_SEVERITY.find((state) => states.has(state)) ?? 'well'
      })
      .join(),
  )
  return all.split(',') as State[]
}
