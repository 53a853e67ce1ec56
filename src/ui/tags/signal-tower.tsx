import type { FC } from 'react'
import { colorHex, type Lamp } from '../../../contract/devices/capabilities/light-house.ts'
import styles from './signal-tower.module.css'

/** Picture of a machine's signal tower as its sensors see it. Hidden from screen readers: the caller writes the states next to it. */
export const SignalTower: FC<{ lamps: readonly Pick<Lamp, 'color' | 'state' | 'sensors'>[] }> = ({
  lamps,
}) => (
  <div className={styles.tower} aria-hidden>
    <span className={styles.cap} />
    {lamps.map(({ color, state, sensors }) => (
      <span
        key={sensors.join()}
        className={`${styles.lamp} ${state === 1 ? styles.lit : ''} ${state === 2 ? styles.flashing : ''}`}
        style={{ '--lamp': colorHex(color) } as Record<string, string>}
      >
        {state === 2 && <span className={styles.mark}>⚡</span>}
      </span>
    ))}
    <span className={styles.pole} />
  </div>
)
