import '@ionic/core/css/ionic.bundle.css';
import { initialize } from '@ionic/core/components';
import * as all from './ionic-all.js';
initialize({ mode: 'md' });
const S = window.S = {};
document.getElementById('root').innerHTML = `<ion-app><ion-content><ion-select id=s label="Size" interface="popover"><ion-select-option value=s>Small</ion-select-option><ion-select-option value=l>Large</ion-select-option></ion-select>
<ion-select id=k label="Kind"><ion-select-option value=a>Apple</ion-select-option><ion-select-option value=b>Berry</ion-select-option></ion-select>
<ion-input id=n label="Name"></ion-input><ion-toggle id=t>Power</ion-toggle><ion-checkbox id=c>Agree</ion-checkbox><ion-range id=r label="Volume" aria-label="Volume"></ion-range>
<ion-segment id=g value=a><ion-segment-button value=a><ion-label>Daily</ion-label></ion-segment-button><ion-segment-button value=b><ion-label>Weekly</ion-label></ion-segment-button></ion-segment>
<ion-radio-group id=p><ion-radio value=cash>Cash</ion-radio><ion-radio value=card>Card</ion-radio></ion-radio-group><ion-datetime id=d value="2026-03-10T10:00:00"></ion-datetime></ion-content></ion-app>`;
window.$ = id => document.getElementById(id);
