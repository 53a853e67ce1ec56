import ThunderboltFilled from '@ant-design/icons-svg/es/asn/ThunderboltFilled.js'
import type { FC } from 'react'
import { LIGHT_STATES, colorHex, type Lamp } from '../../../../contract/devices/capabilities/light-house.ts'
import { choiceOf } from '../../../../contract/devices/kinds/field-shape.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Icon } from '../../../ui/plain/icon.tsx'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { valueKey } from '../field-words.ts'
import styles from './light-house.module.css'
import page from '../../../ui/page/page.module.css'

/** Name of a lamp: its color, with its number if another lamp has the same color. */
function lampName(t: ReturnType<typeof useT>, { name, number, isOnly }: Lamp): string {
  if (name === undefined) return t('devices:lamps.unknown', { number })
  const color = t(`devices:lamps.${name}`)
  return isOnly ? color : t('devices:lamps.numbered', { color, number })
}

/** Name and state of one lamp in words, not by color alone. */
export const LampTag: FC<{ lamp: Lamp; abnormal: boolean }> = ({ lamp, abnormal }) => {
  const t = useT()
  const { color, state } = lamp
  const word = state === undefined ? undefined : choiceOf(LIGHT_STATES, state)?.[1]
  const isLit = state === 1 || state === 2
  return (
    <StateTag
      tone={abnormal && state === 2 ? 'alarm' : 'plain'}
      icon={
        state === 2 ? (
          <Icon of={ThunderboltFilled} />
        ) : (
          <span
            className={`${page.swatch} ${isLit ? styles.lit : styles.dark}`}
            style={{ '--lamp': colorHex(color) } as Record<string, string>}
            aria-hidden
          />
        )
      }
    >
      {t('devices:lamps.state', {
        lamp: lampName(t, lamp),
        state: t(word ? valueKey(word) : 'devices:state.unknown'),
      })}
    </StateTag>
  )
}
