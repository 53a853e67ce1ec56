import dashboard from '../../../../locales/zh-TW/dashboard.json'
import errors from '../../../../locales/zh-TW/errors.json'
import resources from '../../../../locales/zh-TW/resources.json'
import shell from '../../../../locales/zh-TW/shell.json'

const records = import.meta.glob<object>('../../../../locales/zh-TW/records/*.json', {
  eager: true,
  import: 'default',
})

/** Texts of the first screen in one file, to save requests. */
export default { dashboard, errors, resources, shell, records }
