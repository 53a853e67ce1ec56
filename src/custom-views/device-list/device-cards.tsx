import type { FC } from 'react'
import page from '../../ui/page/page.module.css'
import { usePhone } from '../../ui/page/use-screen.ts'
import styles from './device-list.module.css'
import type { DeviceRow } from '../../domain/devices/device-rows.ts'
import { KindName, RowIcon } from '../../domain/devices/kind-name.tsx'
import { RowLink } from './device-table.tsx'
import { AgeCell, StateCell } from '../../domain/devices/cells/live-cells.tsx'
import { Tick } from '../../ui/table/tick.tsx'
import type { RowSelection } from '../../ui/table/virtual-table.tsx'
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx'

interface Props {
  rows: readonly DeviceRow[]
  height: number
  roomName: (roomId: number) => string
  linkTo: (id: string) => string
  open: (id: string) => void
  ticks: RowSelection<DeviceRow> | undefined
}

/** Device list as cards: the layout on phones, optional on wide screens. */
export const DeviceCards: FC<Props> = ({ rows, height, roomName, linkTo, open, ticks }) => {
  const phone = usePhone()
  return (
    <VirtualGrid
      items={rows}
      height={height}
      itemHeight={phone ? 140 : 124}
      itemWidth={300}
      keyOf={(row) => row.id}
      render={(row) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the name inside is the link; the card only widens its target
        <div className={`${page.card} ${styles.card}`} data-row-key={row.id} onClick={() => open(row.id)}>
          <div className={styles.cardTop}>
            {ticks && row.device && (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps a near miss from opening the card
              <span className={styles.cardTick} onClick={(event) => event.stopPropagation()}>
                <Tick
                  label={ticks.labelOf(row) ?? ''}
                  isSelected={ticks.selectedIds.has(row.id)}
                  toggle={(isRange) => ticks.toggle(row.id, isRange)}
                />
              </span>
            )}
            <RowIcon row={row} />
            <RowLink id={row.id} name={row.name} linkTo={linkTo} open={open} />
            <span className={`${page.small} ${page.ellipsis}`}>
              <KindName row={row} />
            </span>
          </div>
          <div className={styles.cardState}>
            <StateCell row={row} />
          </div>
          <div className={`${page.small} ${styles.cardFoot}`}>
            <span>{roomName(row.RoomID)}</span>
            <AgeCell row={row} />
          </div>
        </div>
      )}
    />
  )
}
