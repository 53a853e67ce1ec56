import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { PRODUCTS, type Product } from './guides.ts'
import styles from './hub-wizard.module.css'

/** What have you got? A card each, with what it takes. */
export const ChooseProduct: FC<{ choose: (product: Product) => void }> = ({ choose }) => {
  const t = useT()
  return (
    <>
      <h2>{t('setup:hub.ask')}</h2>
      <ul className={styles.products}>
        {PRODUCTS.map((product) => (
          <li key={product}>
            <button
              type="button"
              className={`${page.card} ${styles.product}`}
              onClick={() => choose(product)}
            >
              <b>{t(`setup:hub.products.${product}.name`)}</b>
              <small>{t(`setup:hub.products.${product}.text`)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
