// The member is what is accessed: its size and address, not the element's. A member array's element likewise.
// expect: CUI_ACCESS(#, p[i].velocity.x) += CUI_ACCESS(#, p[i].mass);
// expect: CUI_ACCESS(#, p[i].history[3]) = CUI_ACCESS(#, (&p[i])->mass);
struct Vector { float x, y; };
struct Particle {
  float mass;
  Vector velocity;
  float history[4];
};
__global__ void particles(Particle* p) {
  int i = threadIdx.x;
  p[i].velocity.x += p[i].mass;
  p[i].history[3] = (&p[i])->mass;
}
