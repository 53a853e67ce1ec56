import { ThunderboltFilled } from '@ant-design/icons'
import type { FC } from 'react'
import { LIGHT_STATES } from '../../../contract/device-kinds/capabilities/light-house.ts'
import { choiceOf } from '../../../contract/device-kinds/field-shape.ts'
import { colorHex, colorName, type Lamp } from '../../../contract/rules/device/light-house.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { valueKey } from '../../domain/device/field-words.ts'
import styles from './light-house.module.css'

/** One lamp in words: what it is called and what it does, never by its colour alone. */
export const LampTag: FC<{ lamp: Lamp; abnormal: boolean }> = ({ lamp: { color, state }, abnormal }) => {
  const t = useT()
  const word = state === undefined ? undefined : choiceOf(LIGHT_STATES, state)?.[1]
  const shines = state === 1 || state === 2
  return (
    <StateTag
      tone={abnormal && state === 2 ? 'alarm' : 'plain'}
      icon={
        state === 2 ? (
          <ThunderboltFilled aria-hidden />
        ) : (
          <span
            className={shines ? styles.swatch : styles.dark}
            style={{ '--lamp': colorHex(color) } as Record<string, string>}
            aria-hidden
          />
        )
      }
    >
      {t('devices:lamps.state', {
        lamp: t(`devices:lamps.${colorName(color)}`),
        state: t(word ? valueKey(word) : 'devices:state.unknown'),
      })}
    </StateTag>
  )
}
