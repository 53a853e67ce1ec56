import balance from '../../../../locales/en-US/balance.json'
import charts from '../../../../locales/en-US/charts.json'
import electricity from '../../../../locales/en-US/electricity.json'
import energy from '../../../../locales/en-US/energy.json'

/** The words of what is drawn of electricity, in one file: each would cost a request of its own. */
export default { balance, charts, electricity, energy }
