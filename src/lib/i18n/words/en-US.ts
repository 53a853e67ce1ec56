import dashboard from '../../../../locales/en-US/dashboard.json'
import errors from '../../../../locales/en-US/errors.json'
import resources from '../../../../locales/en-US/resources.json'
import shell from '../../../../locales/en-US/shell.json'

const records = import.meta.glob<object>('../../../../locales/en-US/records/*.json', {
  eager: true,
  import: 'default',
})

/** Texts of the first screen in one file, to save requests. */
export default { dashboard, errors, resources, shell, records }
