fn a() {


    b();
}



fn b() {}
