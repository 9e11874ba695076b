import intlTelInput from 'intl-tel-input';
import 'intl-tel-input/styles';
document.getElementById('root').innerHTML = '<label for=p>Phone</label><input id=p type=tel>';
window.S = { tel: intlTelInput(document.getElementById('p'), { initialCountry: 'us' }) };
