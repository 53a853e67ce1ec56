import { colors } from '../../ui/theme/theme.ts'
import styles from './company.module.css'

/** Logo and title as the menu shows them, on the light and on the dark ground: a logo must work on both. */
export const BrandPreview = ({ title, logo }: { title: string; logo: string | null }) => (
  <div className={styles.previews}>
    {(['light', 'dark'] as const).map((mode) => (
      <div
        key={mode}
        className={styles.brand}
        style={{ background: colors[mode].surface, color: colors[mode].text, borderColor: colors[mode].line }}
      >
        <img src={logo ?? '/favicon.svg'} alt="" height="32" />
        <span>{title}</span>
      </div>
    ))}
  </div>
)
